/** Bytes of a JSON feed, at most: 100,000 players of 80 bytes each. */
export const FEED_MAX_BYTES = 8 * 1024 * 1024;

export const FEED_MAX_DEPTH = 32;

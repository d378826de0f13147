/** Readers fetch an update at different times, so that all of them together are no peak. In milliseconds. */
export const UPDATE_TIMING = { afterMs: 3000, spreadMs: 4000 } as const;

/** Consecutive entries: from `offset` on, `limit` of them at most, all when it isn't given. */
export interface BoardWindow {
  readonly offset: number;
  readonly limit?: number;
}

/**
 * The window of `limit` entries with a place in its middle. It is never shorter than it could be: at a board's ends it is
 * moved inwards. Of an even number one more stands behind the place than before it.
 *
 * @param place counted from 0, below `total`
 */
export function windowAround(place: number, { total, limit }: { total: number; limit: number }): Required<BoardWindow> {
  const centred = place - Math.floor((limit - 1) / 2);
  const last = Math.max(0, total - limit);
  return { offset: Math.min(Math.max(0, centred), last), limit };
}

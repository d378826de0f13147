export interface BoardWindow {
  readonly offset: number;
  readonly limit?: number;
}

/**
 * A window centred on a place (0-based), moved inwards at the ends. With an even limit, one more entry follows than
 * precedes.
 *
 * @param place counted from 0, below `total`
 */
export function windowAround(place: number, { total, limit }: { total: number; limit: number }): Required<BoardWindow> {
  const centred = place - Math.floor((limit - 1) / 2);
  const last = Math.max(0, total - limit);
  return { offset: Math.min(Math.max(0, centred), last), limit };
}

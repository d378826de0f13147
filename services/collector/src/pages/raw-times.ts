/**
 * Forms in which networks store times as scores, so that the best is the greatest. A page that lists raw values shows the
 * number; the time is derived from it.
 */
const RAW_TIMES = [
  {
    /** Milliseconds, subtracted from the greatest signed 32-bit integer. */
    toMs: (score: number) => 2_147_483_647 - score,
    minMs: 1000,
    maxMs: 3_600_000,
  },
] as const;

/** The times of ratings that all are raw times of one form; undefined for scores. */
export function timesOfRawRatings(ratings: readonly string[]): number[] | undefined {
  if (ratings.length === 0 || !ratings.every((rating) => /^\d{1,10}$/.test(rating))) return undefined;
  for (const { toMs, minMs, maxMs } of RAW_TIMES) {
    const times = ratings.map((rating) => toMs(Number(rating)));
    if (times.every((ms) => ms >= minMs && ms <= maxMs)) return times;
  }
  return undefined;
}

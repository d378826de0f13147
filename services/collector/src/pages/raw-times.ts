import { asciiDigits } from './digits.ts';

/** How the ratings of one title are read that don't say what they are. */
export interface RatingRule {
  /** Scores are times: milliseconds are `from` + `times` * score. */
  readonly rawTime?: RawTime | undefined;
  /** Ratings are pictures: a pattern of their address, whose first group is the rating. */
  readonly picture?: string | undefined;
}

interface RawTime {
  readonly from: number;
  readonly times: number;
}

interface TimeRange {
  readonly minMs: number;
  readonly maxMs: number;
}

/** Networks store times so that the best is the greatest: subtracted from the greatest signed 32-bit integer. */
const USUAL: RawTime = { from: 2_147_483_647, times: -1 };
const USUAL_RANGE: TimeRange = { minMs: 1000, maxMs: 3_600_000 };
const DAY_RANGE: TimeRange = { minMs: 1, maxMs: 86_400_000 };

/**
 * The times of ratings that all are raw times; undefined for scores. A page that lists raw values shows the number; the
 * time is derived from it.
 */
export function timesOfRawRatings(ratings: readonly string[], { rawTime }: RatingRule = {}): number[] | undefined {
  const scores = ratings.map(asciiDigits);
  if (scores.length === 0 || !scores.every((score) => /^\d{1,10}$/.test(score))) return undefined;
  const { from, times } = rawTime ?? USUAL;
  const { minMs, maxMs } = rawTime === undefined ? USUAL_RANGE : DAY_RANGE;
  const found = scores.map((score) => Math.round(from + times * Number(score)));
  return found.every((ms) => ms >= minMs && ms <= maxMs) ? found : undefined;
}

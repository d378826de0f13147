import { fraction, mix } from './hash.ts';

const { exp, floor, max, min, round } = Math;

/** One title in eight has no leaderboards. */
const BOARDLESS_SHARE = 0.12;

/** Uneven shares with an exact total. */
export function distribute(total: number, titles: number, seed: number): readonly number[] {
  const weights = Array.from({ length: titles }, (_, index) => weightOf(mix(seed, index)));
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  let weightSoFar = 0;
  let totalSoFar = 0;
  return weights.map((weight, index) => {
    weightSoFar += weight;
    // Rounding the running sum bounds every error.
    const due = index === titles - 1 ? total : round((weightSoFar / weightSum) * total);
    const share = max(0, due - totalSoFar);
    totalSoFar += share;
    return share;
  });
}

function weightOf(hash: number): number {
  if (fraction(hash) < BOARDLESS_SHARE) return 0;
  return 0.15 + fraction(mix(hash, 1)) ** 3 * 4;
}

const MAX_BOARD_ENTRIES = 15_000;

const STEPS = 1_000;
const MEAN_WEIGHT =
  Array.from({ length: STEPS }, (_, step) => weight((step + 0.5) / STEPS)).reduce((sum, one) => sum + one) / STEPS;

/** The golden ratio spreads any number of boards evenly. */
const GOLDEN_RATIO = (5 ** 0.5 - 1) / 2;

/** Most boards have tens of entries, a few thousands. */
export function boardSize(seed: number, index: number, mean: number): number {
  const phase = fraction(seed) + index * GOLDEN_RATIO;
  const size = round((mean * weight(phase - floor(phase))) / MEAN_WEIGHT);
  return min(MAX_BOARD_ENTRIES, max(mean < 1 ? 0 : 1, size));
}

function weight(quantile: number): number {
  return 2.5 + exp(6.5 * quantile ** 4);
}

import { fraction } from './hash.ts';

const { exp, floor, max, min, round } = Math;

const MAX_BOARD_ENTRIES = 15_000;

const STEPS = 1_000;
const MEAN_WEIGHT = Array.from({ length: STEPS }, (_, step) => weight((step + 0.5) / STEPS)).reduce(sum) / STEPS;

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

function sum(one: number, other: number): number {
  return one + other;
}

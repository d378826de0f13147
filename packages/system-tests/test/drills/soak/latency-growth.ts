import { quantile } from '../abuse/timing.ts';

/** The first minute warms caches and connections up. */
const WARM_UP_MINUTES = 1;

/**
 * Ratio of the latency in the last third of a soak to that in the first third.
 *
 * @param minutes the 99th percentile of each minute, in milliseconds
 * @returns the ratio of both thirds' medians; undefined for fewer than four minutes
 */
export function latencyGrowth(minutes: readonly number[]): number | undefined {
  const warm = minutes.slice(WARM_UP_MINUTES);
  const third = Math.floor(warm.length / 3);
  if (third === 0) return undefined;
  return quantile(warm.slice(-third), 0.5) / quantile(warm.slice(0, third), 0.5);
}

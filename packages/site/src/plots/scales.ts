import type { PlotData } from './plot-data.ts';

/** Least and greatest value of the y axis: every value and bound is within. */
export function yRange({ y, series }: PlotData): readonly [least: number, greatest: number] {
  const known = series.flatMap(({ values, bounds }) => [values, bounds?.low ?? [], bounds?.high ?? []]).flat();
  let [min, max] = [Infinity, -Infinity];
  for (const value of known) {
    if (value === null) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  if (min > max) return [0, 1];
  if (y === 'zero') return [Math.min(0, min * MARGIN), Math.max(max * MARGIN, 1)];
  const margin = Math.max((max - min) * (MARGIN - 1), 0.5);
  // There is no rank 0.
  return [y === 'rank' ? Math.max(0.5, min - margin) : min - margin, max + margin];
}

const MARGIN = 1.05;

/** Distances between ticks of a y axis: values are counts and ranks, which have no fractions. */
export const WHOLE_STEPS: readonly number[] = Array.from({ length: 10 }, (_, power) => 10 ** power).flatMap((power) => [
  power,
  2 * power,
  5 * power,
]);

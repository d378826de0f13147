import { DAY_SECONDS, formatTimestamp, HOUR_SECONDS, oneOf, parseInstant } from '@lobbystats/contracts';
import type { TimeSeries } from '../plots/time-cells.ts';
import type { Html } from '../html.ts';
import { choices } from './choices.ts';
import { snapshotLabel, snapshotRanges, type PlotRange, type SnapshotRange } from './ranges.ts';

const WEEK_SECONDS = 7 * DAY_SECONDS;

/** A parameter of pages with plots. */
export const compare = oneOf(['week']).optional();
export type Compare = 'week' | undefined;

/** Periods that can be compared with the week before. */
function isComparable(range: PlotRange): range is '24h' | '7d' {
  return range === '24h' || range === '7d';
}

/** Hours of snapshots that the plot of a period needs. */
export function plottedHours(range: SnapshotRange, compared: Compare): number {
  const hours = 24 * snapshotRanges[range].days;
  return hours + (compared !== undefined && isComparable(range) ? WEEK_SECONDS / HOUR_SECONDS : 0);
}

interface SnapshotRow {
  readonly recorded_at: string;
  readonly online_count: number;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Players online and, if asked for, those of a week before at the same time. @param rows ascending */
export function onlineSeries(
  rows: readonly SnapshotRow[],
  range: SnapshotRange,
  compared: Compare,
): readonly TimeSeries<SnapshotRow>[] {
  const at = (row: SnapshotRow) => row.recorded_at;
  const value = (row: SnapshotRow) => row.online_count;
  const series = { label: snapshotLabel('Players online', range), rows, at, value };
  if (compared === undefined || !isComparable(range)) return [series];
  const newest = rows.at(-1)?.recorded_at ?? '';
  const before = rows
    .map(({ recorded_at, online_count }) => ({
      recorded_at: formatTimestamp(parseInstant(recorded_at) + WEEK_SECONDS),
      online_count,
    }))
    .filter(({ recorded_at }) => recorded_at <= newest);
  return [series, { label: 'A week before', rows: before, at, value }];
}

/** Links to the plot with and without the week before; nothing for periods that have none. */
export function weekChoice(range: PlotRange, compared: Compare, hrefOf: (compared: Compare) => string): Html | '' {
  if (!isComparable(range)) return '';
  return choices('Comparison', [
    { text: 'This period', href: hrefOf(undefined), isCurrent: compared === undefined },
    { text: 'With the week before', href: hrefOf('week'), isCurrent: compared !== undefined },
  ]);
}

import { DAILY_DAYS_MAX, DAY_SECONDS, HOUR_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { Html } from '../html.ts';
import { choices } from './choices.ts';

/** Ranges of which snapshots are stored. `step`: seconds between values, which `mean` names if they are means. */
export const snapshotRanges = {
  '24h': { days: 1, resolution: 'raw', step: SLOT_SECONDS, mean: '' },
  '7d': { days: 7, resolution: '30', step: HOUR_SECONDS / 2, mean: 'average of 30 minutes' },
  '30d': { days: 30, resolution: '60', step: HOUR_SECONDS, mean: 'hourly average' },
} as const;
export type SnapshotRange = keyof typeof snapshotRanges;

/** The caption of a plot of snapshots: says whether its values are means. */
export function snapshotCaption(counted: string, range: SnapshotRange): string {
  const { mean } = snapshotRanges[range];
  return mean === '' ? counted : `${counted}, ${mean}`;
}

/** The label of its only series. */
export function snapshotLabel(counted: string, range: SnapshotRange): string {
  return snapshotRanges[range].mean === '' ? counted : 'Average';
}

/** The period of a plot of snapshots. */
export function snapshotPeriod(range: SnapshotRange, now: EpochSeconds) {
  const { days, step } = snapshotRanges[range];
  return { seconds: days * DAY_SECONDS, step, now };
}

/** Periods of plots. */
export const plotRanges = ['24h', '7d', '30d', '1y'] as const;
export type PlotRange = (typeof plotRanges)[number];
export const YEAR_DAYS = DAILY_DAYS_MAX;

export const rangeTexts = { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '1y': '1 year' } as const;

/** Links between the periods of a page. @param hrefOf the page with another period */
export function rangeChoices<Range extends PlotRange>(
  ranges: readonly Range[],
  current: Range,
  hrefOf: (range: Range) => string,
): Html {
  return choices(
    'Period',
    ranges.map((range) => ({ text: rangeTexts[range], href: hrefOf(range), isCurrent: range === current })),
  );
}

import { DAILY_DAYS_MAX, HOUR_SECONDS, SLOT_SECONDS } from '@lobbystats/contracts';
import type { Html } from '../html.ts';
import { choices } from './choices.ts';

/** Ranges of which snapshots are stored. `step`: seconds between points. */
export const snapshotRanges = {
  '24h': { days: 1, resolution: 'raw', step: SLOT_SECONDS },
  '7d': { days: 7, resolution: '30', step: HOUR_SECONDS / 2 },
  '30d': { days: 30, resolution: '60', step: HOUR_SECONDS },
} as const;
export type SnapshotRange = keyof typeof snapshotRanges;

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

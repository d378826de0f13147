import { DAY_SECONDS, type EpochSeconds, type operations, type OperationResponse } from '@lobbystats/contracts';
import { withFlags, type PlotFlag } from '../plots/plot-data.ts';
import { timePlot } from '../plots/time-cells.ts';
import type { Html } from '../html.ts';
import { plot } from './plot.ts';

type Day = OperationResponse<typeof operations.getDailyOnline>[number];

const COUNTS = {
  online: { caption: 'Players online by day', mean: 'average_online', peak: 'peak_online' },
  lobbies: { caption: 'Open lobbies by day', mean: 'average_lobbies', peak: 'peak_lobbies' },
} as const;

/** The last days. */
export interface Days {
  /** Undefined: all that are known. */
  readonly days?: number;
  readonly now: EpochSeconds;
}

/** The period of a plot by day. */
export function daysUntilNow({ days, now }: Days) {
  return { seconds: days === undefined ? undefined : days * DAY_SECONDS, step: DAY_SECONDS, now };
}

/** Mean and peak of each UTC day. */
export function dailyPlot(
  count: keyof typeof COUNTS,
  rows: readonly Day[],
  csv: string,
  days: Days,
  flags: readonly PlotFlag[],
): Html {
  const { caption, mean, peak } = COUNTS[count];
  const at = ({ date }: Day) => date;
  return plot({
    id: `${count}-plot`,
    caption,
    csv,
    data: withFlags(
      timePlot(
        [
          { label: 'Average', rows, at, value: (day) => day[mean] },
          { label: 'Peak', rows, at, value: (day) => day[peak] },
        ],
        daysUntilNow(days),
      ),
      flags,
    ),
  });
}

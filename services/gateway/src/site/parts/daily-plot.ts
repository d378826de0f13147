import { DAY_SECONDS, type operations, type OperationResponse } from '@lobbystats/contracts';
import type { Html } from '../html.ts';
import { plot } from './plot.ts';
import { timePlot } from './plot-points.ts';

type Day = OperationResponse<typeof operations.getDailyOnline>[number];

const COUNTS = {
  online: { caption: 'Users online by day', mean: 'average_online', peak: 'peak_online' },
  lobbies: { caption: 'Open lobbies by day', mean: 'average_lobbies', peak: 'peak_lobbies' },
} as const;

/** Mean and peak of each UTC day. */
export function dailyPlot(count: keyof typeof COUNTS, rows: readonly Day[], csv: string): Html {
  const { caption, mean, peak } = COUNTS[count];
  const at = ({ date }: Day) => date;
  return plot({
    id: `${count}-plot`,
    caption,
    step: DAY_SECONDS,
    csv,
    data: timePlot(
      [
        { label: 'Mean', rows, at, value: (day) => day[mean] },
        { label: 'Peak', rows, at, value: (day) => day[peak] },
      ],
      DAY_SECONDS,
    ),
  });
}

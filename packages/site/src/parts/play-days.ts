import {
  DAY_SECONDS,
  formatDate,
  type EpochSeconds,
  type operations,
  type OperationResponse,
} from '@lobbystats/contracts';
import type { Html } from '../html.ts';
import { timePlot } from '../plots/time-cells.ts';
import { daysUntilNow } from './daily-plot.ts';
import { plot } from './plot.ts';

export type PlayDays = OperationResponse<typeof operations.listPlayDays>['days'];

/** Days for which play time is stored. */
const DAYS = 30;

/** Play time by day: bars of one user, or a line of each. */
export function playDaysPlot(
  users: readonly { readonly label: string; readonly days: PlayDays }[],
  now: EpochSeconds,
): Html {
  const series = users.map(({ label, days }) => {
    const known = new Map(days.map(({ date, minutes }) => [date, minutes]));
    // A day without play has no row: it is 0, not unknown.
    const rows = Array.from({ length: DAYS }, (_, index) => {
      const date = formatDate(now - (DAYS - 1 - index) * DAY_SECONDS);
      return { date, minutes: known.get(date) ?? 0 };
    });
    type Row = (typeof rows)[number];
    return { label, rows, at: ({ date }: Row) => date, value: ({ minutes }: Row) => minutes };
  });
  return plot({
    id: 'play-days-plot',
    caption: 'Play time by day, in minutes',
    data: {
      ...timePlot(series, daysUntilNow({ days: DAYS, now })),
      kind: series.length === 1 ? 'bars' : 'line',
    },
  });
}

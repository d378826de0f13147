import { DAY_SECONDS, type operations, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { empty } from '../../parts/part.ts';
import { dailyPlot } from '../../parts/daily-plot.ts';
import { plot } from '../../parts/plot.ts';
import { timePlot } from '../../parts/plot-points.ts';
import { formatChange, formatCount } from '../../parts/text.ts';

type Registered = OperationResponse<typeof operations.getDailyRegistered>;
type Days = OperationResponse<typeof operations.getDailyOnline>;

const at = (row: { date: string }) => row.date;

/** Registered users, and how many were new each day. */
export function registeredPlots(rows: Registered, csv: string): Html {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return empty('No counts yet');
  const growth = rows.slice(1).map(({ date, registered_count }, index) => ({
    date,
    value: registered_count - (rows[index]?.registered_count ?? registered_count),
  }));
  return html`<p class="lead">
      ${formatCount(last.registered_count)} on ${last.date}:
      ${formatChange(last.registered_count - first.registered_count)} since ${first.date}.
    </p>
    <div class="columns">
      ${plot({
        id: 'registered-plot',
        caption: 'Registered users',
        step: DAY_SECONDS,
        csv,
        data: timePlot([{ label: 'Registered users', rows, at, value: (row) => row.registered_count }], DAY_SECONDS),
      })}
      ${plot({
        id: 'growth-plot',
        caption: 'Change to the day before',
        step: DAY_SECONDS,
        csv,
        data: timePlot([{ label: 'Change', rows: growth, at, value: ({ value }) => value }], DAY_SECONDS, 'steps'),
      })}
    </div>`;
}

/** Users online and matches of each day. */
export function dailyPlots(rows: Days, csv: string): Html {
  if (rows.length === 0) return empty('No counts yet');
  return html`<div class="columns">
    ${dailyPlot('online', rows, csv)}
    ${plot({
      id: 'matches-plot',
      caption: 'Matches begun by day',
      step: DAY_SECONDS,
      csv,
      data: timePlot([{ label: 'Matches', rows, at, value: (row) => row.matches }], DAY_SECONDS),
    })}
  </div>`;
}

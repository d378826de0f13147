import {
  DAY_SECONDS,
  parseInstant,
  type EpochSeconds,
  type operations,
  type OperationResponse,
} from '@lobbystats/contracts';
import { withFlags, type PlotData, type PlotFlag } from '../../plots/plot-data.ts';
import { timePlot } from '../../plots/time-cells.ts';
import { html, type Html } from '../../html.ts';
import { dailyPlot, daysUntilNow } from '../../parts/daily-plot.ts';
import { empty } from '../../parts/part.ts';
import { plot } from '../../parts/plot.ts';
import { recordFlags } from '../../parts/record-flags.ts';
import { day, formatChange, formatCount } from '../../parts/text.ts';

type Registered = OperationResponse<typeof operations.getDailyRegistered>;
type Days = OperationResponse<typeof operations.getDailyOnline>;
type Records = OperationResponse<typeof operations.getNetworkRecords>;

const at = (row: { date: string }) => row.date;

/** Registered players, and how many were new in each week. */
export function registeredPlots(rows: Registered, csv: string, now: EpochSeconds): Html {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return empty('No counts yet');
  const { cells, ...counts } = timePlot(
    [{ label: 'Registered players', rows, at, value: (row) => row.registered_count }],
    daysUntilNow({ now }),
  );
  return html`<p class="lead">
      ${formatCount(last.registered_count)} on ${day(last.date)}:
      ${formatChange(last.registered_count - first.registered_count)} since ${day(first.date)}.
    </p>
    <div class="columns">
      ${plot({
        id: 'registered-plot',
        caption: 'Registered players',
        csv,
        // Today's count is the newest one, not a part of one.
        data: { ...counts, y: 'fit', cells: { ...cells, isUnfinished: false } },
      })}
      ${plot({ id: 'growth-plot', caption: 'New players by week', csv, data: weeklyGrowth(rows, now) })}
    </div>`;
}

const WEEK_SECONDS = 7 * DAY_SECONDS;
/** A Monday, in epoch seconds. */
const MONDAY = 4 * DAY_SECONDS;

/** Changes to the end of the week before, of whole weeks and of the current one. */
function weeklyGrowth(rows: Registered, now: EpochSeconds): PlotData {
  const weekOf = (instant: EpochSeconds) => Math.floor((instant - MONDAY) / WEEK_SECONDS);
  const ends = new Map(rows.map((row) => [weekOf(parseInstant(row.date)), row.registered_count]));
  const known = [...ends.keys()];
  const [first, last] = [Math.min(...known) + 1, Math.max(...known, weekOf(now))];
  const weeks = Array.from({ length: Math.max(1, last - first + 1) }, (_, index) => first + index);
  const values = weeks.map((week) => {
    const [before, after] = [ends.get(week - 1), ends.get(week)];
    return before === undefined || after === undefined ? null : after - before;
  });
  const [from, begins] = [MONDAY + first * WEEK_SECONDS, WEEK_SECONDS];
  const cells = { unit: 'week' as const, from, until: from + weeks.length * begins, begins, isUnfinished: true };
  return { kind: 'bars', y: 'zero', cells, series: [{ label: 'New players', values }] };
}

/** Players online and matches of each day. */
export function dailyPlots(rows: Days, records: Records | undefined, csv: string, now: EpochSeconds): Html {
  if (rows.length === 0) return empty('No counts yet');
  return html`<div class="columns">
    ${dailyPlot('online', rows, csv, { now }, recordFlags(records?.online, 'online'))}
    ${plot({
      id: 'matches-plot',
      caption: 'Matches begun by day',
      csv,
      data: withFlags(
        timePlot([{ label: 'Matches', rows, at, value: (row) => row.matches }], daysUntilNow({ now })),
        matchesFlags(records?.matches),
      ),
    })}
  </div>`;
}

/** The record of matches is of a whole day. */
function matchesFlags(record: Records['matches'] | undefined): readonly PlotFlag[] {
  if (!record) return [];
  const from = parseInstant(record.date);
  return [{ kind: 'record', at: from, until: from + DAY_SECONDS, text: `${formatCount(record.count)} matches` }];
}

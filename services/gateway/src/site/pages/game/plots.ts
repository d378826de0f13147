import { operations, type EpochSeconds, parseInstant, type OperationResponse } from '@lobbystats/contracts';
import { timePlot } from '../../../plots/time-cells.ts';
import { html, type Html } from '../../html.ts';
import { apiPath } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { part } from '../../parts/part.ts';
import { daysUntilNow } from '../../parts/daily-plot.ts';
import { plot } from '../../parts/plot.ts';
import {
  snapshotCaption,
  snapshotLabel,
  snapshotPeriod,
  snapshotRanges,
  YEAR_DAYS,
  type PlotRange,
  type SnapshotRange,
} from '../../parts/ranges.ts';
import { openLobbiesAt } from './open-lobbies-at.ts';

const { getDailyStats, getMatchHistory, getTitleOnlineHistory } = operations;

/** Operations that {@link gamePlots} asks. */
export const gamePlotsOperations = [getDailyStats, getMatchHistory, getTitleOnlineHistory] as const;

type History = OperationResponse<typeof getTitleOnlineHistory>['history'];
type Day = OperationResponse<typeof getDailyStats>['stats'][number];

/** Users online and lobbies over a period. Lobbies of more than a day are counted by day. */
export async function gamePlots(titleId: string, range: PlotRange, data: PageData): Promise<Html> {
  if (range === '1y') return yearPlots(titleId, data);
  return range === '24h' ? dayPlots(titleId, data) : snapshotPlots(titleId, range, data);
}

async function dayPlots(titleId: string, data: PageData): Promise<Html> {
  const [online, matches] = await Promise.all([
    askHistory(titleId, '24h', data),
    data.askPart(getMatchHistory, { titleId }),
  ]);
  return html`${onlinePlot(titleId, '24h', online, data.now)}
  ${part(online && matches && { online, matches }, (known) => {
    const slots = known.online.history.map(({ recorded_at }) => recorded_at);
    const counts = openLobbiesAt(slots.map(parseInstant), known.matches.matches);
    const rows = slots.map((recorded_at, index) => ({ recorded_at, lobbies: counts[index] ?? 0 }));
    return plot({
      id: 'lobbies-plot',
      caption: 'Open lobbies',
      csv: apiPath(getMatchHistory.path, { titleId }, { format: 'csv' }),
      data: timePlot(
        [{ label: 'Open lobbies', rows, at: (row) => row.recorded_at, value: ({ lobbies }) => lobbies }],
        snapshotPeriod('24h', data.now),
      ),
    });
  })}`;
}

async function snapshotPlots(titleId: string, range: SnapshotRange, data: PageData): Promise<Html> {
  const { days } = snapshotRanges[range];
  const [online, daily] = await Promise.all([
    askHistory(titleId, range, data),
    data.askPart(getDailyStats, { titleId }, { days }),
  ]);
  return html`${onlinePlot(titleId, range, online, data.now)}
  ${part(daily, ({ stats }) => dailyLobbies(titleId, stats, { days, now: data.now }))}`;
}

async function yearPlots(titleId: string, data: PageData): Promise<Html> {
  const daily = await data.askPart(getDailyStats, { titleId }, { days: YEAR_DAYS });
  const year = { days: YEAR_DAYS, now: data.now };
  return part(
    daily,
    ({ stats }) =>
      html`${dailyPlot('online-plot', 'Users online by day', dailyCsv(titleId, YEAR_DAYS), stats, year, [
        ['Mean', ({ average_online }) => average_online],
        ['Peak', ({ peak_online }) => peak_online],
      ])}
      ${dailyLobbies(titleId, stats, year)}`,
  );
}

function askHistory(titleId: string, range: SnapshotRange, data: PageData) {
  return data.askPart(getTitleOnlineHistory, { titleId }, historyQuery(range));
}

function historyQuery(range: SnapshotRange) {
  const { days, resolution } = snapshotRanges[range];
  return { hours: 24 * days, resolution };
}

function onlinePlot(
  titleId: string,
  range: SnapshotRange,
  known: { history: History } | undefined,
  now: EpochSeconds,
): Html {
  return part(known, ({ history: rows }) =>
    plot({
      id: 'online-plot',
      caption: snapshotCaption('Users online', range),
      csv: apiPath(getTitleOnlineHistory.path, { titleId }, { ...historyQuery(range), format: 'csv' }),
      data: timePlot(
        [
          {
            label: snapshotLabel('Users online', range),
            rows,
            at: (row) => row.recorded_at,
            value: (row) => row.online_count,
          },
        ],
        snapshotPeriod(range, now),
      ),
    }),
  );
}

interface LastDays {
  readonly days: number;
  readonly now: EpochSeconds;
}

function dailyLobbies(titleId: string, stats: readonly Day[], last: LastDays): Html {
  return dailyPlot('lobbies-plot', 'Lobbies by day', dailyCsv(titleId, last.days), stats, last, [
    ['Matches', ({ lobby_count }) => lobby_count],
    ['Peak of players', ({ peak_players }) => peak_players],
    ['Hosts', ({ unique_hosts }) => unique_hosts],
  ]);
}

function dailyCsv(titleId: string, days: number): string {
  return apiPath(getDailyStats.path, { titleId }, { days, format: 'csv' });
}

type DailySeries = readonly [label: string, value: (day: Day) => number];

function dailyPlot(
  id: string,
  caption: string,
  csv: string,
  rows: readonly Day[],
  last: LastDays,
  series: readonly DailySeries[],
): Html {
  const points = series.map(([label, value]) => ({ label, rows, at: ({ date }: Day) => date, value }));
  return plot({ id, caption, csv, data: timePlot(points, daysUntilNow(last)) });
}

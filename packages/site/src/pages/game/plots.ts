import { operations, type EpochSeconds, parseInstant, type OperationResponse } from '@lobbystats/contracts';
import { withFlags } from '../../plots/plot-data.ts';
import { timePlot } from '../../plots/time-cells.ts';
import { html, type Html } from '../../html.ts';
import { apiPath } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { part } from '../../parts/part.ts';
import { daysUntilNow } from '../../parts/daily-plot.ts';
import { plot } from '../../parts/plot.ts';
import {
  snapshotCaption,
  snapshotPeriod,
  snapshotRanges,
  YEAR_DAYS,
  type PlotRange,
  type SnapshotRange,
} from '../../parts/ranges.ts';
import { gameFlags, gameFlagsOperations } from './flags.ts';
import { onlineSeries, plottedHours, type Compare } from '../../parts/week-before.ts';
import { openLobbiesAt } from './open-lobbies-at.ts';

const { getDailyStats, getMatchHistory, getTitleOnlineHistory } = operations;

/** Operations that {@link gamePlots} asks. */
export const gamePlotsOperations = [
  ...gameFlagsOperations,
  ...[getDailyStats, getMatchHistory, getTitleOnlineHistory],
] as const;

type History = OperationResponse<typeof getTitleOnlineHistory>;
type Day = OperationResponse<typeof getDailyStats>['stats'][number];

/** Users online and lobbies over a period. Lobbies of more than a day are counted by day. */
export async function gamePlots(titleId: string, range: PlotRange, compared: Compare, data: PageData): Promise<Html> {
  if (range === '1y') return yearPlots(titleId, data);
  const asked = { titleId, range, compared };
  return range === '24h' ? dayPlots({ ...asked, range }, data) : snapshotPlots({ ...asked, range }, data);
}

interface AskedPlot {
  readonly titleId: string;
  readonly range: SnapshotRange;
  readonly compared: Compare;
}

async function dayPlots({ titleId, ...asked }: AskedPlot, data: PageData): Promise<Html> {
  const [online, matches] = await Promise.all([
    onlinePlot({ titleId, ...asked }, data),
    data.askPart(getMatchHistory, { titleId }),
  ]);
  return html`${online.shown}
  ${part(online.known && matches && { online: online.known, matches }, (known) => {
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

async function snapshotPlots({ titleId, range, compared }: AskedPlot, data: PageData): Promise<Html> {
  const { days } = snapshotRanges[range];
  const [online, daily] = await Promise.all([
    onlinePlot({ titleId, range, compared }, data),
    data.askPart(getDailyStats, { titleId }, { days }),
  ]);
  return html`${online.shown} ${part(daily, ({ stats }) => dailyLobbies(titleId, stats, { days, now: data.now }))}`;
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

async function onlinePlot(
  { titleId, range, compared }: AskedPlot,
  data: PageData,
): Promise<{ shown: Html; known: History | undefined }> {
  const { resolution } = snapshotRanges[range];
  const period = snapshotPeriod(range, data.now);
  const [known, flags] = await Promise.all([
    data.askPart(getTitleOnlineHistory, { titleId }, { hours: plottedHours(range, compared), resolution }),
    gameFlags(titleId, range, data),
  ]);
  const shown = part(known, ({ history }) => {
    const plotted = timePlot(onlineSeries(history, range, compared), period);
    return plot({
      id: 'online-plot',
      caption: snapshotCaption('Users online', range),
      csv: apiPath(
        getTitleOnlineHistory.path,
        { titleId },
        { hours: plottedHours(range, undefined), resolution, format: 'csv' },
      ),
      data: withFlags(plotted, flags),
    });
  });
  return { shown, known };
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

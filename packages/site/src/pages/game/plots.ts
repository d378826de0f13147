import { operations, parseInstant, type OperationResponse } from '@lobbystats/contracts';
import { withFlags, type PlotData, type PlotFlag } from '../../plots/plot-data.ts';
import { timePlot } from '../../plots/time-cells.ts';
import { html, type Html } from '../../html.ts';
import { apiPath } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { part } from '../../parts/part.ts';
import { daysUntilNow, type Days } from '../../parts/daily-plot.ts';
import { expectationOf } from '../../parts/expectation.ts';
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

const { getActivity, getDailyStats, getMatchHistory, getTitleOnlineHistory } = operations;

/** Operations that {@link gamePlots} asks. */
export const gamePlotsOperations = [
  ...gameFlagsOperations,
  ...[getActivity, getDailyStats, getMatchHistory, getTitleOnlineHistory],
] as const;

type History = OperationResponse<typeof getTitleOnlineHistory>;
type Day = OperationResponse<typeof getDailyStats>['stats'][number];

/** Users online and lobbies over a period. Lobbies of more than a day are counted by day. */
export async function gamePlots(titleId: string, range: PlotRange, compared: Compare, data: PageData): Promise<Html> {
  const flags = gameFlags(titleId, range, data);
  if (range === '1y') return yearPlots({ titleId, flags }, data);
  const asked = { titleId, compared, flags };
  return range === '24h' ? dayPlots({ ...asked, range }, data) : snapshotPlots({ ...asked, range }, data);
}

interface AskedPlot {
  readonly titleId: string;
  readonly range: SnapshotRange;
  readonly compared: Compare;
  readonly flags: ReturnType<typeof gameFlags>;
}

async function dayPlots({ titleId, ...asked }: AskedPlot, data: PageData): Promise<Html> {
  const [online, matches, flags] = await Promise.all([
    onlinePlot({ titleId, ...asked }, data),
    data.askPart(getMatchHistory, { titleId }),
    asked.flags,
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
      data: withFlags(
        timePlot(
          [{ label: 'Open lobbies', rows, at: (row) => row.recorded_at, value: ({ lobbies }) => lobbies }],
          snapshotPeriod('24h', data.now),
        ),
        flags.lobbies,
      ),
    });
  })}`;
}

async function snapshotPlots(asked: AskedPlot, data: PageData): Promise<Html> {
  const { titleId, range } = asked;
  const { days } = snapshotRanges[range];
  const [online, daily, { lobbies }] = await Promise.all([
    onlinePlot(asked, data),
    data.askPart(getDailyStats, { titleId }, { days }),
    asked.flags,
  ]);
  const last = { days, now: data.now };
  return html`${online.shown} ${part(daily, ({ stats }) => dailyLobbies(titleId, stats, last, lobbies))}`;
}

async function yearPlots(asked: Pick<AskedPlot, 'titleId' | 'flags'>, data: PageData): Promise<Html> {
  const { titleId } = asked;
  const [daily, flags] = await Promise.all([
    data.askPart(getDailyStats, { titleId }, { days: YEAR_DAYS }),
    asked.flags,
  ]);
  // From the first known day on.
  const year = { now: data.now };
  return part(
    daily,
    ({ stats }) =>
      html`${plot({
        id: 'online-plot',
        caption: 'Players online by day',
        csv: dailyCsv(titleId, YEAR_DAYS),
        data: withFlags(
          dailyData(stats, year, [
            ['Average', ({ average_online }) => average_online],
            ['Peak', ({ peak_online }) => peak_online],
          ]),
          flags.online,
        ),
      })}
      ${dailyLobbies(titleId, stats, year, flags.lobbies)}`,
  );
}

async function onlinePlot(
  { titleId, range, compared, flags: asked }: AskedPlot,
  data: PageData,
): Promise<{ shown: Html; known: History | undefined }> {
  const { resolution } = snapshotRanges[range];
  const period = snapshotPeriod(range, data.now);
  const [known, activity, flags] = await Promise.all([
    data.askPart(getTitleOnlineHistory, { titleId }, { hours: plottedHours(range, compared), resolution }),
    range === '24h' ? data.askPart(getActivity, { titleId }) : undefined,
    asked,
  ]);
  const shown = part(known, ({ history }) => {
    const expected = activity && expectationOf(activity, data.now);
    const plotted = { ...timePlot(onlineSeries(history, range, compared), period), ...(expected && { expected }) };
    return plot({
      id: 'online-plot',
      caption: snapshotCaption('Players online', range),
      csv: apiPath(
        getTitleOnlineHistory.path,
        { titleId },
        { hours: plottedHours(range, undefined), resolution, format: 'csv' },
      ),
      data: withFlags(plotted, flags.online),
    });
  });
  return { shown, known };
}

function dailyLobbies(titleId: string, stats: readonly Day[], last: Days, flags: readonly PlotFlag[]): Html {
  const csv = dailyCsv(titleId, last.days ?? YEAR_DAYS);
  const dataOf = (label: string, value: (day: Day) => number) =>
    withFlags(dailyData(stats, last, [[label, value]]), flags);
  return html`${plot({
    ...{ id: 'lobbies-plot', caption: 'Matches by day', csv },
    data: dataOf('Matches', ({ lobby_count }) => lobby_count),
  })}
  ${plot({
    ...{ id: 'players-plot', caption: 'Most players in lobbies by day', csv },
    data: dataOf('Players', ({ peak_players }) => peak_players),
  })}`;
}

function dailyCsv(titleId: string, days: number): string {
  return apiPath(getDailyStats.path, { titleId }, { days, format: 'csv' });
}

type DailySeries = readonly [label: string, value: (day: Day) => number];

function dailyData(rows: readonly Day[], last: Days, series: readonly DailySeries[]): PlotData {
  const points = series.map(([label, value]) => ({ label, rows, at: ({ date }: Day) => date, value }));
  return timePlot(points, daysUntilNow(last));
}

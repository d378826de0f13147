import { compareCodePoints, type EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { countIn, IN_PERIOD, periodValues } from '../database/influxql.ts';
import type { InfluxSeries } from '../database/open.influx.ts';
import type { Period } from '../series/periods.ts';
import { titleIdOf, titleKey } from '../titles/titles.queries.ts';
import { matchTotals, type MatchRun, type MatchTotals } from './match-runs.ts';
import { RUN_COLUMNS, runsInInflux, storedMatchSnapshots, type RunRow } from './runs.queries.ts';

export type MatchQueries = ReturnType<typeof matchesInSqlite>;

export interface Page {
  limit: number;
  offset: number;
}

export function matchesInSqlite(store: SqliteStore) {
  return {
    /** As of the period's end. Newest end first, then by host in code-point order. */
    matches: async (titleId: string, period: Period, page: Page) => {
      const { total, runs } = runsAsOf(store, titleKey(titleId), period, page);
      return { total, matches: runs.map((run): MatchRun => ({ titleId, ...run })) };
    },
    /** Totals of `matches`. `peakPlayers`: the most in a match, or in all open matches of one slot. */
    matchTotals: async (titleId: string, period: Period): Promise<MatchTotals> => {
      const { after, until } = period;
      const key = titleKey(titleId);
      const together = store.get<{ players: number | null }>(
        'SELECT max(lobby_players) AS players FROM title_snapshot WHERE title_id = ? AND slot > ? AND slot <= ?',
        key,
        after,
        until,
      );
      const peakTogether = together?.players ?? 0;
      if (goingOnRuns(store, key, period).length > 0)
        return matchTotals(runsAsOf(store, key, period, { limit: Infinity, offset: 0 }).runs, peakTogether);
      const ended = store.get<MatchTotals>(
        `SELECT count(*) AS total, count(DISTINCT host_id) AS uniqueHosts, ifnull(max(peak_players), 0) AS peakPlayers
          FROM match_run WHERE title_id = ? AND ended_at > ? AND ended_at <= ?`,
        key,
        after,
        until,
      );
      const { peakPlayers, ...counts } = ended ?? matchTotals([], 0);
      return { ...counts, peakPlayers: Math.max(peakPlayers, peakTogether) };
    },
  };
}

interface RunPage {
  total: number;
  runs: RunRow[];
}

/**
 * A title's runs that ended in a period, as of its end, newest first. Later parts exist only when the network's clock is
 * ahead; they are then rebuilt from snapshots.
 */
function runsAsOf(store: SqliteStore, key: number, period: Period, page: Page): RunPage {
  const goingOn = goingOnRuns(store, key, period);
  if (goingOn.length === 0) return endedRuns(store, key, period, page);

  const { limit, offset } = page;
  const ended = endedRuns(store, key, period, { limit: limit + offset, offset: 0 });
  const runs = [...goingOn, ...ended.runs].sort(byEndAndHost);
  return { total: ended.total + goingOn.length, runs: runs.slice(offset, offset + limit) };
}

function goingOnRuns(store: SqliteStore, key: number, { after, until }: Period): RunRow[] {
  return store
    .all<RunRow>(
      `SELECT ${RUN_COLUMNS} FROM match_run JOIN host ON host.id = host_id
        WHERE title_id = ? AND ended_at > ? AND started_at <= ?`,
      key,
      until,
      until,
    )
    .map((run) => truncateRun(store, key, run, until))
    .filter((run) => run.endedAt > after);
}

function endedRuns(store: SqliteStore, key: number, { after, until }: Period, { limit, offset }: Page): RunPage {
  const count = store.get<{ total: number }>(
    'SELECT count(*) AS total FROM match_run WHERE title_id = ? AND ended_at > ? AND ended_at <= ?',
    key,
    after,
    until,
  );
  const runs = store.all<RunRow>(
    `SELECT ${RUN_COLUMNS} FROM match_run JOIN host ON host.id = host_id
      WHERE title_id = ? AND ended_at > ? AND ended_at <= ?
      ORDER BY ended_at DESC, host.name LIMIT ? OFFSET ?`,
    key,
    after,
    until,
    Number.isFinite(limit) ? limit : -1,
    offset,
  );
  return { total: count?.total ?? 0, runs };
}

/** Truncates a run at an instant. */
function truncateRun(store: SqliteStore, key: number, run: RunRow, until: EpochSeconds): RunRow {
  const seen = storedMatchSnapshots(store, titleIdOf(key), { after: run.startedAt - 1, until });
  const own = seen.filter(({ host }) => host === run.host);
  const peakPlayers = own.reduce((peak, { players }) => Math.max(peak, players), 0);
  const { slot: endedAt, players, maxPlayers } = own.at(-1) ?? { ...run, slot: run.endedAt };
  return { ...run, endedAt, players, maxPlayers, peakPlayers };
}

function byEndAndHost(a: RunRow, b: RunRow): number {
  return b.endedAt - a.endedAt || compareCodePoints(a.host, b.host);
}

export function matchesInInflux(series: InfluxSeries) {
  const { influx, horizon } = series;
  const { runsBetween, matchSnapshots } = runsInInflux(series);

  /** As in SQLite, later parts are rebuilt from snapshots. */
  const asOf = async (runs: MatchRun[], titleId: string, until: EpochSeconds): Promise<MatchRun[]> => {
    const goingOn = runs.filter(({ endedAt }) => endedAt > until);
    if (goingOn.length === 0) return runs;
    const first = goingOn.reduce((earliest, { startedAt }) => Math.min(earliest, startedAt), until);
    const seen = Map.groupBy(await matchSnapshots(titleId, { after: first - 1, until }), ({ host }) => host);
    return runs.map((run) => {
      if (run.endedAt <= until) return run;
      const own = (seen.get(run.host) ?? []).filter(({ slot }) => slot >= run.startedAt);
      const { slot: endedAt, players, maxPlayers } = own.at(-1) ?? { ...run, slot: run.startedAt };
      const peakPlayers = own.reduce((peak, match) => Math.max(peak, match.players), 0);
      return { ...run, endedAt, players, maxPlayers, peakPlayers };
    });
  };
  const runsOf = async (titleId: string, { after, until }: Period) => {
    const stored = await runsBetween(after + 1, until, titleId);
    return (await asOf(stored, titleId, until)).filter(({ endedAt }) => endedAt > after);
  };
  return {
    matches: async (titleId, period, { limit, offset }) => {
      const runs = (await runsOf(titleId, period)).sort(byEndAndHost);
      return { total: runs.length, matches: runs.slice(offset, offset + limit) };
    },
    matchTotals: async (titleId, period) => {
      const [runs, [peak]] = await Promise.all([
        runsOf(titleId, period),
        influx.query('snapshots', `SELECT max(lobbyPlayers) FROM title WHERE titleId = $titleId AND ${IN_PERIOD}`, {
          titleId,
          ...periodValues(period, horizon.snapshots()),
        }),
      ]);
      return matchTotals(runs, countIn(peak));
    },
  } satisfies MatchQueries;
}

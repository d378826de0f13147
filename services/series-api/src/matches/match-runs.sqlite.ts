import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { compareCodePoints, type EpochSeconds } from '@lobbystats/contracts';
import { matchTotals, type MatchRun, type MatchTotals } from './match-runs.ts';
import type { SeriesStore, Page } from '../database/series-store.ts';
import { ofTitle, titleIdOf, titleKey, titleValues } from '../titles/titles.sqlite.ts';
import type { Period } from '../snapshots/periods.ts';
import type { MatchSnapshot } from '../snapshots/snapshots.ts';

type RunRow = Omit<MatchRun, 'titleId'>;

export const RUN_COLUMNS = `host.name AS host, started_at AS startedAt, ended_at AS endedAt, players,
  max_players AS maxPlayers, peak_players AS peakPlayers`;

export function matchReads(store: SqliteStore) {
  return {
    runsBetween: async (from, to, titleId) =>
      store
        .all<RunRow & { titleKey: number }>(
          `SELECT title_id AS titleKey, ${RUN_COLUMNS} FROM match_run JOIN host ON host.id = host_id
            WHERE ended_at >= ? AND started_at <= ? ${ofTitle(titleId)}`,
          from,
          to,
          ...titleValues(titleId),
        )
        .map(({ titleKey: key, host, startedAt, endedAt, players, maxPlayers, peakPlayers }): MatchRun => ({
          titleId: titleIdOf(key),
          host,
          startedAt,
          endedAt,
          players,
          maxPlayers,
          peakPlayers,
        })),
    matchSnapshots: async (titleId, period) => matchSnapshots(store, titleId, period),
    countRuns: async (from, to) => {
      // No run ends before it begins: the index by end has the rows.
      const sql = 'SELECT count(*) AS count FROM match_run WHERE ended_at >= ? AND started_at >= ? AND started_at <= ?';
      return store.get<{ count: number }>(sql, from, from, to)?.count ?? 0;
    },
    matches: async (titleId, period, page) => {
      const { total, runs } = runsAsOf(store, titleKey(titleId), period, page);
      return { total, matches: runs.map((run) => ({ titleId, ...run })) };
    },
    matchTotals: async (titleId, period) => {
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
  } satisfies Partial<SeriesStore>;
}

interface RunPage {
  total: number;
  runs: RunRow[];
}

/**
 * A title's runs that ended in a period, as of its end, newest first. Later parts exist only when the network's clock is
 * ahead; they are then rebuilt from snapshots.
 */
function runsAsOf(store: SqliteStore, titleKey: number, period: Period, page: Page): RunPage {
  const goingOn = goingOnRuns(store, titleKey, period);
  if (goingOn.length === 0) return endedRuns(store, titleKey, period, page);

  const { limit, offset } = page;
  const ended = endedRuns(store, titleKey, period, { limit: limit + offset, offset: 0 });
  const runs = [...goingOn, ...ended.runs].sort((a, b) => b.endedAt - a.endedAt || compareCodePoints(a.host, b.host));
  return { total: ended.total + goingOn.length, runs: runs.slice(offset, offset + limit) };
}

function goingOnRuns(store: SqliteStore, titleKey: number, { after, until }: Period): RunRow[] {
  return store
    .all<RunRow>(
      `SELECT ${RUN_COLUMNS} FROM match_run JOIN host ON host.id = host_id
        WHERE title_id = ? AND ended_at > ? AND started_at <= ?`,
      titleKey,
      until,
      until,
    )
    .map((run) => truncateRun(store, titleKey, run, until))
    .filter((run) => run.endedAt > after);
}

function endedRuns(store: SqliteStore, titleKey: number, { after, until }: Period, { limit, offset }: Page): RunPage {
  const count = store.get<{ total: number }>(
    'SELECT count(*) AS total FROM match_run WHERE title_id = ? AND ended_at > ? AND ended_at <= ?',
    titleKey,
    after,
    until,
  );
  const runs = store.all<RunRow>(
    `SELECT ${RUN_COLUMNS} FROM match_run JOIN host ON host.id = host_id
      WHERE title_id = ? AND ended_at > ? AND ended_at <= ?
      ORDER BY ended_at DESC, host.name LIMIT ? OFFSET ?`,
    titleKey,
    after,
    until,
    Number.isFinite(limit) ? limit : -1,
    offset,
  );
  return { total: count?.total ?? 0, runs };
}

/** Truncates a run at an instant. */
function truncateRun(store: SqliteStore, key: number, run: RunRow, until: EpochSeconds): RunRow {
  const seen = matchSnapshots(store, titleIdOf(key), { after: run.startedAt - 1, until });
  const own = seen.filter(({ host }) => host === run.host);
  const peakPlayers = own.reduce((peak, { players }) => Math.max(peak, players), 0);
  const { slot: endedAt, players, maxPlayers } = own.at(-1) ?? { ...run, slot: run.endedAt };
  return { ...run, endedAt, players, maxPlayers, peakPlayers };
}

function matchSnapshots(store: SqliteStore, titleId: string, { after, until }: Period): MatchSnapshot[] {
  return store
    .all<Omit<MatchSnapshot, 'titleId'>>(
      `SELECT stored.slot, host.name AS host, players, max_players AS maxPlayers
        FROM site_snapshot AS stored
        CROSS JOIN match_snapshot AS seen ON seen.slot = stored.slot AND seen.title_id = ?
        JOIN host ON host.id = host_id
        WHERE stored.slot > ? AND stored.slot <= ? ORDER BY stored.slot`,
      titleKey(titleId),
      after,
      until,
    )
    .map((row) => ({ ...row, titleId }));
}

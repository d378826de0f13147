import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { MatchRun } from '../../domain/match-runs.ts';
import type { SeriesStore } from '../../domain/series-store.ts';
import { runsAsOf } from './runs-as-of.ts';
import { RUN_COLUMNS, type RunRow } from './run-row.ts';
import { titleIdOf, titleKey } from './title-key.ts';

export function matchReads(store: SqliteStore) {
  return {
    runsBetween: async (from, to) =>
      store
        .all<RunRow & { titleKey: number }>(
          `SELECT title_id AS titleKey, ${RUN_COLUMNS} FROM match_run JOIN host ON host.id = host_id
            WHERE ended_at >= ? AND started_at <= ?`,
          from,
          to,
        )
        .map(({ titleKey: key, ...run }): MatchRun => ({ titleId: titleIdOf(key), ...run })),
    matches: async (titleId, period, page) => {
      const { total, runs } = runsAsOf(store, titleKey(titleId), period, page);
      return { total, matches: runs.map((run) => ({ titleId, ...run })) };
    },
    matchTotals: async (titleId, { after, until }) => {
      const key = titleKey(titleId);
      const runs = store.get<{ matches: number; hosts: number }>(
        `SELECT count(*) AS matches, count(DISTINCT host_id) AS hosts FROM match_run
          WHERE title_id = ? AND ended_at > ? AND started_at <= ?`,
        key,
        after,
        until,
      );
      const peak = store.get<{ players: number | null }>(
        'SELECT max(lobby_players) AS players FROM title_snapshot WHERE title_id = ? AND slot > ? AND slot <= ?',
        key,
        after,
        until,
      );
      return { matches: runs?.matches ?? 0, hosts: runs?.hosts ?? 0, peakPlayers: peak?.players ?? 0 };
    },
  } satisfies Partial<SeriesStore>;
}

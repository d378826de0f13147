import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { Hosting, SeriesStore } from '../database/series-store.ts';

export function hostings(store: SqliteStore) {
  return {
    hostings: async (playerKey, { after, until }) =>
      store.all<Hosting>(
        `SELECT host.name AS host, count(*) AS matches, min(started_at) AS startedAt, max(ended_at) AS endedAt
          FROM host CROSS JOIN match_run ON host_id = host.id
          WHERE player_key = ? AND ended_at > ? AND started_at <= ? GROUP BY host.id`,
        playerKey,
        after,
        until,
      ),
  } satisfies Partial<SeriesStore>;
}

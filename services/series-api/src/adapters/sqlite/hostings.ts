import { nameKey } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { Hosting, SeriesStore } from '../../domain/series-store.ts';

/** `player_key` is the `nameKey`, null in rows of older releases until the store is opened. */
export const hostIndexes = `
  ALTER TABLE host ADD COLUMN player_key TEXT;
  CREATE INDEX host_by_player ON host (player_key);
  CREATE INDEX match_run_by_host ON match_run (host_id, ended_at, started_at);
`;

export function fillPlayerKeys(store: SqliteStore): void {
  const hosts = store.all<{ id: number; name: string }>('SELECT id, name FROM host WHERE player_key IS NULL');
  if (hosts.length === 0) return;
  store.transaction(() => {
    for (const { id, name } of hosts) store.run('UPDATE host SET player_key = ? WHERE id = ?', nameKey(name), id);
  });
}

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

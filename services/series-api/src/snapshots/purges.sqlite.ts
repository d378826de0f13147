import type { EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { SeriesStore } from '../database/series-store.ts';

const HOSTS_PER_PURGE = 2000;

export function purges(store: SqliteStore) {
  return {
    purge: async ({ snapshots, dailies }, slots) =>
      store.transaction(() => {
        store.run('DELETE FROM site_daily WHERE day <= ?', dailies);
        store.run('DELETE FROM title_daily WHERE title_id IN (SELECT id FROM title) AND day <= ?', dailies);
        const oldest = oldestSlots(store, snapshots, slots);
        const last = oldest.at(-1);
        if (last !== undefined) purgeUntil(store, last);
        const more = oldest.length === slots;
        return more || purgeHosts(store, snapshots) === HOSTS_PER_PURGE;
      }),
  } satisfies Partial<SeriesStore>;
}

function oldestSlots(store: SqliteStore, until: EpochSeconds, limit: number): EpochSeconds[] {
  return store
    .all<{ slot: number }>('SELECT slot FROM site_snapshot WHERE slot <= ? ORDER BY slot LIMIT ?', until, limit)
    .map(({ slot }) => slot);
}

function purgeUntil(store: SqliteStore, slot: EpochSeconds): void {
  store.run('DELETE FROM match_snapshot WHERE slot <= ?', slot);
  store.run('DELETE FROM match_run WHERE ended_at <= ?', slot);
  store.run('DELETE FROM title_snapshot WHERE title_id IN (SELECT id FROM title) AND slot <= ?', slot);
  store.run('DELETE FROM site_snapshot WHERE slot <= ?', slot);
  store.run('DELETE FROM withdrawn_slot WHERE slot <= ?', slot);
}

/** A host without matches is not referenced. */
function purgeHosts(store: SqliteStore, until: EpochSeconds): number {
  return store.run(
    'DELETE FROM host WHERE id IN (SELECT id FROM host WHERE seen_at <= ? LIMIT ?)',
    until,
    HOSTS_PER_PURGE,
  );
}

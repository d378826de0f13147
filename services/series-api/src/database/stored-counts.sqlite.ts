import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { SeriesStore, StoredCounts } from './series-store.ts';

const COUNTS = `SELECT (SELECT count(*) FROM site_snapshot WHERE slot > ? AND slot <= ?) AS slots,
  (SELECT count(*) FROM site_rollup) AS days, (SELECT count(*) FROM site_daily) AS registeredDays`;

export function storedCounts(store: SqliteStore) {
  return {
    countStored: async ({ after, until }) =>
      store.get<StoredCounts>(COUNTS, after, until) ?? { slots: 0, days: 0, registeredDays: 0 },
  } satisfies Partial<SeriesStore>;
}

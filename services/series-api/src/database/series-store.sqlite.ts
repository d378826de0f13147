import { openSqliteStore, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { SeriesStore, StoredCounts } from './series-store.ts';
import { dailies, rollups } from '../days/dailies.sqlite.ts';
import { hostings } from '../matches/hostings.sqlite.ts';
import { matchReads } from '../matches/match-runs.sqlite.ts';
import { purges } from '../snapshots/purges.sqlite.ts';
import { migrations } from './series-schema.sqlite.ts';
import { siteDays } from '../days/site-days.sqlite.ts';
import { slotReads } from '../snapshots/slot-reads.sqlite.ts';
import { slotWrites } from '../snapshots/slot-writes.sqlite.ts';
import { titleRecords } from '../days/title-records.sqlite.ts';
import { titles } from '../titles/titles.sqlite.ts';
import { withdrawals } from '../snapshots/withdrawals.sqlite.ts';

interface SqliteSeriesOptions {
  readonly url: string;
  readonly origin: string;
  readonly lockTimeoutMs?: number;
}

/**
 * The series in one SQLite file. Snapshots can be read again, so a power cut may cost the last commits.
 *
 * @param url `sqlite:PATH` or `sqlite::memory:`
 * @throws StoreRefusedError when the file belongs to another network or to newer code
 */
export function openSqliteSeriesStore({ url, origin, lockTimeoutMs }: SqliteSeriesOptions): SeriesStore {
  const store = openSqliteStore({ url, name: 'series', origin, migrations, durability: 'normal', lockTimeoutMs });
  return {
    ...slotReads(store),
    ...slotWrites(store),
    ...matchReads(store),
    ...hostings(store),
    ...titles(store),
    ...rollups(store),
    ...dailies(store),
    ...siteDays(store),
    ...titleRecords(store),
    ...storedCounts(store),
    ...purges(store),
    ...withdrawals(store),
    check: async () => store.check(),
    close: async () => store.close(),
  };
}

const COUNTS = `SELECT (SELECT count(*) FROM site_snapshot WHERE slot > ? AND slot <= ?) AS slots,
  (SELECT count(*) FROM site_rollup) AS days, (SELECT count(*) FROM site_daily) AS registeredDays`;

function storedCounts(store: SqliteStore) {
  return {
    countStored: async ({ after, until }) =>
      store.get<StoredCounts>(COUNTS, after, until) ?? { slots: 0, days: 0, registeredDays: 0 },
  } satisfies Partial<SeriesStore>;
}

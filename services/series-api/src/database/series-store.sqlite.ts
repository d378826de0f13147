import { openSqliteStore } from '@lobbystats/sqlite-store';
import type { SeriesStore } from '../../domain/series-store.ts';
import { dailies, rollups } from './dailies.ts';
import { hostings } from './hostings.ts';
import { matchReads } from './match-runs.ts';
import { purges } from './purges.ts';
import { migrations } from './schema.ts';
import { siteDays } from './site-days.ts';
import { slotReads } from './slot-reads.ts';
import { slotWrites } from './slot-writes.ts';
import { storedCounts } from './stored-counts.ts';
import { titleRecords } from './title-records.ts';
import { titles } from './titles.ts';

/**
 * The series in one SQLite file. Snapshots can be read again, so a power cut may cost the last commits.
 *
 * @param url `sqlite:PATH` or `sqlite::memory:`
 * @throws StoreRefusedError when the file belongs to another network or to newer code
 */
export function openSqliteSeriesStore({ url, origin }: { url: string; origin: string }): SeriesStore {
  const store = openSqliteStore({ url, name: 'series', origin, migrations, durability: 'normal' });
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
    check: async () => store.check(),
    close: async () => store.close(),
  };
}

import { openSqliteStore } from '@lobbystats/service-kit/sqlite';
import type { InfluxSeriesOptions } from './database/open.influx.ts';
import { migrations } from './database/schema.ts';
import { siteDaysInInflux, siteDaysInSqlite } from './days/site-days.queries.ts';
import { titleDaysInInflux, titleDaysInSqlite } from './days/title-days.queries.ts';
import { titleRecordsInInflux, titleRecordsInSqlite } from './days/title-records.queries.ts';
import { commitsInInflux, commitsInSqlite } from './ingest/commits.queries.ts';
import { removalsInInflux, removalsInSqlite } from './ingest/removals.queries.ts';
import { lobbiesInInflux, lobbiesInSqlite } from './live/lobbies.queries.ts';
import { hostingsInInflux, hostingsInSqlite } from './matches/hostings.queries.ts';
import { matchesInInflux, matchesInSqlite } from './matches/matches.queries.ts';
import { runsInInflux, runsInSqlite } from './matches/runs.queries.ts';
import { slotsInInflux, slotsInSqlite } from './slots/slots.queries.ts';
import { titlesInInflux, titlesInSqlite } from './titles/titles.queries.ts';
import { totalsInInflux, totalsInSqlite } from './totals/title-totals.queries.ts';

/** All queries. They throw AppError `unavailable`; `check` rejects when the database can't be read. */
export type SeriesStore = ReturnType<typeof openSqliteSeriesStore>;

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
export function openSqliteSeriesStore({ url, origin, lockTimeoutMs }: SqliteSeriesOptions) {
  const store = openSqliteStore({ url, name: 'series', origin, migrations, durability: 'normal', lockTimeoutMs });
  return {
    ...titlesInSqlite(store),
    ...slotsInSqlite(store),
    ...runsInSqlite(store),
    ...matchesInSqlite(store),
    ...hostingsInSqlite(store),
    ...siteDaysInSqlite(store),
    ...titleDaysInSqlite(store),
    ...titleRecordsInSqlite(store),
    ...totalsInSqlite(store),
    ...lobbiesInSqlite(store),
    ...commitsInSqlite(store),
    ...removalsInSqlite(store),
    check: async () => store.check(),
    close: async () => store.close(),
  };
}

/**
 * Loads the driver, which the standalone form does without.
 *
 * @throws as `openInflux`
 */
export async function openInfluxSeriesStore(options: InfluxSeriesOptions): Promise<SeriesStore> {
  const { openInflux } = await import('./database/open.influx.ts');
  const series = await openInflux(options);
  return {
    ...titlesInInflux(series),
    ...slotsInInflux(series),
    ...runsInInflux(series),
    ...matchesInInflux(series),
    ...hostingsInInflux(series),
    ...siteDaysInInflux(series),
    ...titleDaysInInflux(series),
    ...titleRecordsInInflux(series),
    ...totalsInInflux(series),
    ...lobbiesInInflux(series),
    ...commitsInInflux(series),
    ...removalsInInflux(series),
    check: () => series.check(),
    close: () => series.close(),
  };
}

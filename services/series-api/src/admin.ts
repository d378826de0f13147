import type { EpochSeconds } from '@lobbystats/contracts';
import { openInfluxSeriesStore, openSqliteSeriesStore, type SeriesStore } from './open-store.ts';
import { dayOf, type SlotRange } from './series/periods.ts';

export { exportSeries } from './transfer/export.queries.ts';
export { BUCKET_GRANTS as bucketGrants, bucketPermissions } from './administration/buckets.ts';
export { BUCKETS as influxBuckets } from './administration/buckets.ts';
export { countLines, countPoints, exportPoints, importLines, type PointCounts } from './transfer/copy-points.influx.ts';
export {
  clearBucket,
  inspectInflux,
  verifyAdminToken,
  type InfluxAdmin,
  type InfluxState,
} from './administration/inspect.influx.ts';
export * as influxManagement from './administration/management.influx.ts';
export { provisionBuckets, provisionInflux } from './administration/provision.influx.ts';
export { migrations as seriesMigrations } from './database/schema.ts';

/** Long enough to find a gap between the commits of a busy service. */
const LOCK_TIMEOUT_MS = 5000;

interface SeriesAddress {
  readonly url: string;
  readonly origin: string;
  readonly clock: () => number;
  /** InfluxDB needs a token and an organisation, SQLite does not. */
  readonly token?: string;
  readonly org?: string;
}

interface Peak {
  readonly what: 'users online' | 'lobbies';
  readonly at: EpochSeconds;
  readonly count: number;
}

/**
 * Opens the store beside a running series-api, to list what a withdrawal removes.
 *
 * @throws StartupError, AppError `unavailable` when it can't be opened
 */
export async function openSeriesContents(address: SeriesAddress) {
  const store = await openStore(address);
  return {
    /** The stored slots, and the peaks of days that were reached in them. */
    contentsOf: async ({ from, to }: SlotRange) => {
      const days = await store.siteDays({ after: dayOf(from) - 1, until: to });
      const peaks = days.flatMap(({ peakOnline, peakOnlineAt, peakLobbies, peakLobbiesAt }): Peak[] => [
        { what: 'users online', at: peakOnlineAt, count: peakOnline },
        ...(peakLobbiesAt === null ? [] : [{ what: 'lobbies' as const, at: peakLobbiesAt, count: peakLobbies ?? 0 }]),
      ]);
      return {
        slots: await store.siteSnapshots({ after: from - 1, until: to }),
        peaks: peaks.filter(({ at }) => from <= at && at <= to),
      };
    },
    close: () => store.close(),
  };
}

async function openStore({ token, org, ...address }: SeriesAddress): Promise<SeriesStore> {
  return token === undefined || org === undefined
    ? openSqliteSeriesStore({ ...address, lockTimeoutMs: LOCK_TIMEOUT_MS })
    : openInfluxSeriesStore({ ...address, token, org });
}

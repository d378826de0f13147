import { StartupError } from '@lobbystats/errors';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import {
  busHooks,
  createLogger,
  createMetrics,
  openResources,
  type Logger,
  type Metrics,
} from '@lobbystats/service-kit';
import { openInfluxSeriesStore } from './adapters/influx/influx-series-store.ts';
import { openSqliteSeriesStore } from './adapters/sqlite/sqlite-series-store.ts';
import type { SeriesApiConfig } from './config.ts';
import type { SeriesStore } from './domain/series-store.ts';

export { exportSeries } from './adapters/export-series.ts';
export * as influxManagement from './adapters/influx/management.ts';
export { BUCKET_GRANTS as bucketGrants, bucketPermissions } from './adapters/influx/buckets.ts';
export { BUCKETS as influxBuckets } from './adapters/influx/buckets.ts';
export { countLines, countPoints, exportPoints, importLines, type PointCounts } from './adapters/influx/copy-points.ts';
export {
  clearBucket,
  verifyAdminToken,
  inspectInflux,
  type InfluxAdmin,
  type InfluxState,
} from './adapters/influx/influx-admin.ts';
export { provisionInflux } from './adapters/influx/provision-influx.ts';
export { migrations as seriesMigrations } from './adapters/sqlite/schema.ts';

export interface SeriesApiOverrides {
  bus?: MessageBus;
  store?: SeriesStore;
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
  validateResponses?: boolean;
}

export interface Context {
  readonly bus: MessageBus;
  readonly store: SeriesStore;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly checkAnswers: boolean;
  readonly disposers: readonly (() => Promise<void>)[];
}

export async function createContext(config: SeriesApiConfig, overrides: SeriesApiOverrides): Promise<Context> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN: origin, BUS_URL } = config;
  const { clock = Date.now, metrics = createMetrics('series-api'), validateResponses = false } = overrides;
  const logger = overrides.logger ?? createLogger({ service: 'series-api', level: LOG_LEVEL, format: LOG_FORMAT });

  return openResources(async (part) => {
    const store = await part(overrides.store, () => openStore(config, { clock, metrics }));
    const bus = await part(overrides.bus, () =>
      openBus({ url: BUS_URL, origin, hooks: busHooks(logger, metrics), clock, service: 'series-api' }),
    );
    return { bus, store, clock, logger, metrics, checkAnswers: validateResponses };
  });
}

async function openStore(
  config: SeriesApiConfig,
  { clock, metrics }: Pick<Context, 'clock' | 'metrics'>,
): Promise<SeriesStore> {
  const { SERIES_URL: url, NETWORK_ORIGIN: origin, INFLUX_ORG: org, INFLUX_TOKEN: token } = config;
  if (url.startsWith('sqlite:')) return openSqliteSeriesStore({ url, origin });
  if (token === undefined) {
    throw new StartupError(
      'SERIES_URL names an InfluxDB: set INFLUX_TOKEN or INFLUX_TOKEN_FILE, which the init job writes',
    );
  }
  const expired = metrics.counter('series_points_expired_total', 'Points not written because they had expired');
  const onExpired = (points: number) => {
    expired.inc(points);
  };
  return openInfluxSeriesStore({ url, token: token.reveal(), org, origin, clock, onExpired });
}

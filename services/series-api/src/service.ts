import { StartupError } from '@lobbystats/contracts/errors';
import {
  baseSettings,
  defineService,
  openServiceBus,
  readConfig,
  setting,
  type Env,
  type Metrics,
} from '@lobbystats/service-kit';
import { z } from 'zod';
import { consumeMessages, ingestMetrics } from './ingest/consume-messages.bus.ts';
import { startRetention } from './ingest/retention.ts';
import { openInfluxSeriesStore, openSqliteSeriesStore, type SeriesStore } from './open-store.ts';
import { seriesRoutes } from './routes.ts';

/** Printed in .env.example. */
export const settings = z.object({
  ...baseSettings(8081),
  SERIES_URL: setting
    .store({ protocols: ['http', 'https'], default: 'sqlite:./data/series.sqlite' })
    .meta({ description: 'Store of series-api: sqlite:PATH, or http://HOST:PORT for InfluxDB.', commented: true }),
  INFLUX_TOKEN: setting.secret().optional().meta({ description: 'Its token.' }),
  INFLUXDB_ORG: setting.text('lobbystats').meta({ description: 'Organisation of InfluxDB.', commented: true }),
});

export const seriesApi = defineService({
  name: 'series-api',
  readConfig: (env: Env) => readConfig(settings, env),
  parts: {
    store: ({ config, clock, metrics }) => openStore(config, clock, metrics),
    bus: openServiceBus('series-api'),
  },
  compose: ({ bus, store, now, logger, metrics }) => {
    const ingest = ingestMetrics(metrics);
    return {
      routes: seriesRoutes(store, now),
      components: [
        async () => {
          ingest.setNewestSlot(await store.slotBefore(now() + 1));
          const onFault = (error: unknown) => logger.warn('expired data could not be removed', { error });
          return startRetention({ store, now, onFault });
        },
        () => consumeMessages({ bus, store, now, ingest }),
      ],
    };
  },
});

async function openStore(
  config: z.output<typeof settings>,
  clock: () => number,
  metrics: Metrics,
): Promise<SeriesStore> {
  const { SERIES_URL: url, NETWORK_ORIGIN: origin, INFLUXDB_ORG: org, INFLUX_TOKEN: token } = config;
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

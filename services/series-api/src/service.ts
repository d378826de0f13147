import { composeService, createHealth, routeTimeout, type ComposedService } from '@lobbystats/service-kit';
import type { SeriesApiConfig } from './config.ts';
import { createContext, type SeriesApiOverrides } from './context.ts';
import { startRetention } from './domain/retention.ts';
import { matchRoutes, onlineUserRoutes, siteSeriesRoutes } from './http/series-routes.ts';
import { consumeMessages, ingestMetrics } from './messaging/consume-messages.ts';

export { readSeriesApiConfig, type SeriesApiConfig } from './config.ts';
export {
  bucketGrants,
  bucketPermissions,
  clearBucket,
  countLines,
  countPoints,
  verifyAdminToken,
  exportPoints,
  importLines,
  influxBuckets,
  influxManagement,
  inspectInflux,
  provisionInflux,
  exportSeries,
  seriesMigrations,
  type InfluxAdmin,
  type InfluxState,
  type PointCounts,
  type SeriesApiOverrides,
} from './context.ts';

const RESPONSE_TIMEOUT_MS = 1500;

export async function createSeriesApi(
  config: SeriesApiConfig,
  overrides: SeriesApiOverrides = {},
): Promise<ComposedService> {
  const { NETWORK_ORIGIN: origin } = config;
  const {
    bus,
    store,
    clock,
    logger,
    metrics,
    checkAnswers: validateResponses,
    disposers,
  } = await createContext(config, overrides);
  const now = () => Math.floor(clock() / 1000);
  const ingest = ingestMetrics(metrics);

  const health = createHealth({
    service: 'series-api',
    details: { network: { origin, simulated: origin === 'simulated' } },
  });
  health.dependency('store', () => store.check());
  health.dependency('bus', () => bus.check());

  const routes = [...siteSeriesRoutes(store, now), ...onlineUserRoutes(store, now), ...matchRoutes(store, now)];
  return composeService({
    name: 'series-api',
    config,
    logger,
    metrics,
    health,
    routes: routes.map((route) => routeTimeout(route, RESPONSE_TIMEOUT_MS)),
    validateResponses,
    disposers,
    startComponents: async (started) => {
      ingest.setNewestSlot(await store.slotBefore(now() + 1));
      const onFault = (error: unknown) => logger.warn('expired data could not be removed', { error });
      const retention = startRetention({ store, now, onFault });
      started(() => retention.stop());
      const consumer = await consumeMessages({ bus, store, now, ingest });
      started(() => consumer.stop());
    },
  });
}

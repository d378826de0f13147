import { composeService, createHealth, createHttpService, type ComposedService } from '@lobbystats/service-kit';
import type { SeriesApiConfig } from './config.ts';
import { createContext, type SeriesApiOverrides } from './context.ts';
import { startRetention } from './domain/retention.ts';
import { matchRoutes } from './http/match-routes.ts';
import { onlineUserRoutes } from './http/online-user-routes.ts';
import { siteSeriesRoutes } from './http/site-series-routes.ts';
import { consumeMessages } from './messaging/consume-messages.ts';
import { ingestMetrics } from './messaging/ingest-metrics.ts';

export { readSeriesApiConfig, type SeriesApiConfig } from './config.ts';
export type { SeriesApiOverrides } from './context.ts';

/** Composes series-api. Its store and bus are open when this resolves; it listens and consumes from `start` on. */
export async function createSeriesApi(
  config: SeriesApiConfig,
  overrides: SeriesApiOverrides = {},
): Promise<ComposedService> {
  const { HOST: host, NETWORK_ORIGIN: origin, STOP_TIMEOUT_MS: stopTimeoutMs } = config;
  const { bus, store, clock, logger, metrics, checkAnswers, closers } = await createContext(config, overrides);
  const now = () => Math.floor(clock() / 1000);
  const ingest = ingestMetrics(metrics);

  const health = createHealth({
    service: 'series-api',
    details: { network: { origin, simulated: origin === 'simulated' } },
  });
  health.dependency('store', () => store.check());
  health.dependency('bus', () => bus.check());

  const http = createHttpService({
    name: 'series-api',
    host,
    port: config.PORT,
    logger,
    metrics,
    health,
    routes: [...siteSeriesRoutes(store, now), ...onlineUserRoutes(store, now), ...matchRoutes(store, now)],
    checkAnswers,
    stopTimeoutMs,
  });

  return composeService({
    name: 'series-api',
    logger,
    metrics,
    health,
    http,
    metricsAt: { host, port: config.METRICS_PORT },
    closers,
    startParts: async (started) => {
      ingest.newestSlot(await store.slotBefore(now() + 1));
      const onFault = (error: unknown) => logger.warn('what has expired could not be removed', { error });
      const retention = startRetention({ store, now, onFault });
      started(() => retention.stop());
      const consumer = await consumeMessages({ bus, store, now, ingest });
      started(() => consumer.stop());
    },
  });
}

import {
  createHealth,
  createHttpService,
  serveMetrics,
  stopInOrder,
  type Logger,
  type Service,
} from '@lobbystats/service-kit';
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

/** series-api as a service, and the log it writes. */
export type SeriesApi = Service & { readonly logger: Logger };

/** Composes series-api. Its store and bus are open when this resolves; it listens and consumes from `start` on. */
export async function createSeriesApi(config: SeriesApiConfig, overrides: SeriesApiOverrides = {}): Promise<SeriesApi> {
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

  let url = '';
  const running = [...closers];
  const stop = async () => {
    health.stopping();
    await stopInOrder(running.splice(0).reverse());
  };
  const start = async () => {
    ingest.newestSlot(await store.slotBefore(now() + 1));
    const onFault = (error: unknown) => logger.warn('what has expired could not be removed', { error });
    const retention = startRetention({ store, now, onFault });
    running.push(() => retention.stop());
    const consumer = await consumeMessages({ bus, store, now, ingest });
    running.push(() => consumer.stop());
    running.push(() => http.stop());
    ({ url } = await http.start());
    if (config.METRICS_PORT !== 0) {
      const server = await serveMetrics({ host, port: config.METRICS_PORT, metrics: [metrics], logger });
      running.push(() => server.close());
    }
    logger.info('series-api is listening', { url, network: origin });
  };

  return {
    name: 'series-api',
    logger,
    url: () => url,
    // What has started is stopped when what comes after it fails.
    start: async () => {
      try {
        await start();
      } catch (error) {
        await stop().catch((fault: unknown) => logger.warn('stopping failed', { error: fault }));
        throw error;
      }
    },
    stop,
  };
}

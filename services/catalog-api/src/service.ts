import {
  createHealth,
  createHttpService,
  serveMetrics,
  stopInOrder,
  type Health,
  type Logger,
  type Service,
} from '@lobbystats/service-kit';
import type { CatalogApiConfig } from './config.ts';
import { createContext, type CatalogApiOverrides } from './context.ts';
import { TitleCatalog } from './domain/title-catalog.ts';
import { gameRoutes } from './http/game-routes.ts';
import { consumeTitles } from './messaging/consume-titles.ts';
import { OutboxRelay } from './messaging/outbox-relay.ts';

export { readCatalogApiConfig, type CatalogApiConfig } from './config.ts';
export type { CatalogApiOverrides } from './context.ts';

/** catalog-api as a service, and the log it writes. */
export type CatalogApi = Service & { readonly logger: Logger };

/** Composes catalog-api. Its store and bus are open when this resolves; it listens and consumes from `start` on. */
export async function createCatalogApi(
  config: CatalogApiConfig,
  overrides: CatalogApiOverrides = {},
): Promise<CatalogApi> {
  const { HOST: host, NETWORK_ORIGIN: origin, STOP_TIMEOUT_MS: stopTimeoutMs } = config;
  const { bus, store, clock, logger, metrics, checkAnswers, closers } = await createContext(config, overrides);
  const catalog = new TitleCatalog(store, clock);

  const titleCount = metrics.gauge('titles', 'Titles that are shown');
  const changeCount = metrics.counter('title_changes_total', 'Titles that came or changed');
  const outboxDepth = metrics.gauge('outbox_facts', 'Facts that are stored and not yet published');
  const outbox = { waiting: 0 };
  const onBacklog = (facts: number) => {
    outbox.waiting = facts;
    outboxDepth.set(facts);
  };
  const relay = new OutboxRelay({ store, bus, logger, onBacklog });
  const onChanged = ({ changed, shown }: { changed: number; shown: number }) => {
    changeCount.inc(changed);
    titleCount.set(shown);
    if (changed > 0) relay.wake();
  };

  const health: Health = createHealth({
    service: 'catalog-api',
    details: { network: { origin, simulated: origin === 'simulated' }, outbox },
  });
  health.dependency('store', () => store.check());
  health.dependency('bus', () => bus.check());

  const http = createHttpService({
    name: 'catalog-api',
    host,
    port: config.PORT,
    logger,
    metrics,
    health,
    routes: gameRoutes(catalog),
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
    onChanged({ changed: 0, shown: (await catalog.view()).size });
    running.push(() => relay.stop());
    relay.wake();
    const consumer = await consumeTitles(bus, catalog, onChanged);
    running.push(() => consumer.stop());
    running.push(() => http.stop());
    ({ url } = await http.start());
    if (config.METRICS_PORT !== 0) {
      const server = await serveMetrics({ host, port: config.METRICS_PORT, metrics: [metrics], logger });
      running.push(() => server.close());
    }
    logger.info('catalog-api is listening', { url, network: origin });
  };

  return {
    name: 'catalog-api',
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

import { composeService, createHealth, inTime, type ComposedService, type Health } from '@lobbystats/service-kit';
import type { CatalogApiConfig } from './config.ts';
import { createContext, type CatalogApiOverrides } from './context.ts';
import { TitleCatalog } from './domain/title-catalog.ts';
import { gameRoutes } from './http/game-routes.ts';
import { consumeTitles } from './messaging/consume-titles.ts';
import { OutboxRelay } from './messaging/outbox-relay.ts';

export { readCatalogApiConfig, type CatalogApiConfig } from './config.ts';
export { catalogSchema, type CatalogApiOverrides } from './context.ts';

/** How long an answer may take before it is a 503. */
const ANSWER_WITHIN_MS = 900;

/** Composes catalog-api. Its store and bus are open when this resolves; it listens and consumes from `start` on. */
export async function createCatalogApi(
  config: CatalogApiConfig,
  overrides: CatalogApiOverrides = {},
): Promise<ComposedService> {
  const { NETWORK_ORIGIN: origin } = config;
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

  return composeService({
    name: 'catalog-api',
    config,
    logger,
    metrics,
    health,
    routes: gameRoutes(catalog).map((route) => inTime(route, ANSWER_WITHIN_MS)),
    checkAnswers,
    closers,
    startParts: async (started) => {
      onChanged({ changed: 0, shown: (await catalog.view()).size });
      started(() => relay.stop());
      relay.wake();
      const consumer = await consumeTitles(bus, catalog, onChanged);
      started(() => consumer.stop());
    },
  });
}

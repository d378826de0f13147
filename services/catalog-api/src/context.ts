import { openBus, type MessageBus } from '@lobbystats/message-bus';
import { busHooks, createLogger, createMetrics, type Logger, type Metrics } from '@lobbystats/service-kit';
import { openSqliteTitleStore } from './adapters/sqlite/sqlite-title-store.ts';
import type { CatalogApiConfig } from './config.ts';
import type { TitleStore } from './domain/title-store.ts';

export { catalogSchema } from './adapters/mongo/catalog-schema.ts';

/** What may come from outside instead of being made here. Who gives something closes it. */
export interface CatalogApiOverrides {
  bus?: MessageBus;
  store?: TitleStore;
  /** Epoch milliseconds. */
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
  /** Whether each answer is checked against its schema. */
  checkAnswers?: boolean;
}

/** What the service is composed of. */
export interface Context {
  readonly bus: MessageBus;
  readonly store: TitleStore;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly checkAnswers: boolean;
  /** Close what was opened here: the last one first. */
  readonly closers: readonly (() => Promise<void>)[];
}

/** Opens what the configuration names, but for what is given. */
export async function createContext(config: CatalogApiConfig, overrides: CatalogApiOverrides = {}): Promise<Context> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN, DATABASE_URL, BUS_URL } = config;
  const clock = overrides.clock ?? Date.now;
  const logger = overrides.logger ?? createLogger({ service: 'catalog-api', level: LOG_LEVEL, format: LOG_FORMAT });
  const metrics = overrides.metrics ?? createMetrics('catalog-api');

  const closers: (() => Promise<void>)[] = [];
  const store = overrides.store ?? (await openStore(DATABASE_URL, NETWORK_ORIGIN));
  if (overrides.store === undefined) closers.push(() => store.close());
  try {
    const bus =
      overrides.bus ??
      (await openBus({
        url: BUS_URL,
        origin: NETWORK_ORIGIN,
        hooks: busHooks(logger, metrics),
        clock,
        service: 'catalog-api',
      }));
    if (overrides.bus === undefined) closers.push(() => bus.close());
    return { bus, store, clock, logger, metrics, checkAnswers: overrides.checkAnswers ?? false, closers };
  } catch (error) {
    for (const close of closers) await close();
    throw error;
  }
}

/** The driver of a server is loaded where its URL asks for it. */
async function openStore(url: string, origin: string): Promise<TitleStore> {
  if (!url.startsWith('mongodb')) return openSqliteTitleStore(url, origin);
  const { openMongoTitleStore } = await import('./adapters/mongo/mongo-title-store.ts');
  return openMongoTitleStore(url, origin);
}

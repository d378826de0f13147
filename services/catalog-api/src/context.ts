import { openBus, type MessageBus } from '@lobbystats/message-bus';
import {
  busHooks,
  createLogger,
  createMetrics,
  openResources,
  type Logger,
  type Metrics,
} from '@lobbystats/service-kit';
import { openSqliteCatalogStore } from './database/catalog-store.sqlite.ts';
import { luxonZones } from './events/zones.luxon.ts';
import type { CatalogApiConfig } from './config.ts';
import type { CatalogStore } from './database/catalog-store.ts';
import type { Zones } from './events/event-times.ts';

export { exportCatalog } from './database/export-catalog.sqlite.ts';
export { catalogSchema } from './database/catalog-schema.mongo.ts';
export { catalogMigrations } from './database/catalog-migrations.sqlite.ts';

export interface CatalogApiOverrides {
  bus?: MessageBus;
  store?: CatalogStore;
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
  validateResponses?: boolean;
}

export interface Context {
  readonly bus: MessageBus;
  readonly store: CatalogStore;
  readonly clock: () => number;
  readonly zones: Zones;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly checkAnswers: boolean;
  readonly disposers: readonly (() => Promise<void>)[];
}

export async function createContext(config: CatalogApiConfig, overrides: CatalogApiOverrides = {}): Promise<Context> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN: origin, DATABASE_URL, BUS_URL } = config;
  const clock = overrides.clock ?? Date.now;
  const logger = overrides.logger ?? createLogger({ service: 'catalog-api', level: LOG_LEVEL, format: LOG_FORMAT });
  const metrics = overrides.metrics ?? createMetrics('catalog-api');
  const checkAnswers = overrides.validateResponses ?? false;
  return openResources(async (part) => {
    const store = await part(overrides.store, () => openStore(DATABASE_URL, origin));
    const bus = await part(overrides.bus, () =>
      openBus({ url: BUS_URL, origin, hooks: busHooks(logger, metrics), clock, service: 'catalog-api' }),
    );
    return { bus, store, clock, zones: luxonZones, logger, metrics, checkAnswers };
  });
}

async function openStore(url: string, origin: string): Promise<CatalogStore> {
  if (!url.startsWith('mongodb')) return openSqliteCatalogStore(url, origin);
  const { openMongoCatalogStore } = await import('./database/catalog-store.mongo.ts');
  return openMongoCatalogStore(url, origin);
}

import { openBus, type MessageBus } from '@lobbystats/message-bus';
import {
  busHooks,
  createLogger,
  createMetrics,
  openResources,
  type Logger,
  type Metrics,
} from '@lobbystats/service-kit';
import { openSqliteCatalogStore } from './adapters/sqlite/sqlite-catalog-store.ts';
import { luxonZones } from './adapters/zones/luxon-zones.ts';
import type { CatalogApiConfig } from './config.ts';
import type { CatalogStore } from './domain/catalog-store.ts';
import type { Zones } from './domain/zones.ts';

export { exportCatalog } from './adapters/export-catalog.ts';
export { catalogSchema } from './adapters/mongo/catalog-schema.ts';
export { catalogMigrations } from './adapters/sqlite/catalog-migrations.ts';

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
  const { openMongoCatalogStore } = await import('./adapters/mongo/mongo-catalog-store.ts');
  return openMongoCatalogStore(url, origin);
}

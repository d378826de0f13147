import { openBus, type MessageBus } from '@lobbystats/message-bus';
import {
  busHooks,
  createLogger,
  createMetrics,
  openResources,
  type Logger,
  type Metrics,
  type Sessions,
} from '@lobbystats/service-kit';
import { createSessionVerifier } from '@lobbystats/session';
import { openSqliteReputationStore } from './adapters/sqlite/sqlite-reputation-store.ts';
import type { ReputationApiConfig } from './config.ts';
import type { ReputationStore } from './domain/reputation-store.ts';

export { exportReputation } from './adapters/export-reputation.ts';
export { reputationSchema } from './adapters/mongo/reputation-schema.ts';
export { reputationMigrations } from './adapters/sqlite/reputation-migrations.ts';

export interface ReputationApiOverrides {
  bus?: MessageBus;
  store?: ReputationStore;
  sessions?: Sessions;
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
  validateResponses?: boolean;
}

export interface Context {
  readonly bus: MessageBus;
  readonly store: ReputationStore;
  readonly sessions: Sessions;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly checkAnswers: boolean;
  readonly disposers: readonly (() => Promise<void>)[];
}

export async function createContext(
  config: ReputationApiConfig,
  overrides: ReputationApiOverrides = {},
): Promise<Context> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN: origin, DATABASE_URL, BUS_URL, AUTH_URL } = config;
  const clock = overrides.clock ?? Date.now;
  const logger = overrides.logger ?? createLogger({ service: 'reputation-api', level: LOG_LEVEL, format: LOG_FORMAT });
  const metrics = overrides.metrics ?? createMetrics('reputation-api');
  const sessions = overrides.sessions ?? createSessionVerifier({ authUrl: AUTH_URL, clock, logger, metrics });
  const checkAnswers = overrides.validateResponses ?? false;
  return openResources(async (part) => {
    const store = await part(overrides.store, () => openReputationStore(DATABASE_URL, origin));
    const bus = await part(overrides.bus, () =>
      openBus({ url: BUS_URL, origin, hooks: busHooks(logger, metrics), clock, service: 'reputation-api' }),
    );
    return { bus, store, sessions, clock, logger, metrics, checkAnswers };
  });
}

/**
 * Opens the store at a URL and loads the MongoDB driver on demand. `lockTimeoutMs`: how long to wait for another process
 * that writes to a SQLite file; the default suits a service.
 */
export async function openReputationStore(
  url: string,
  origin: string,
  lockTimeoutMs?: number,
): Promise<ReputationStore> {
  if (!url.startsWith('mongodb')) return openSqliteReputationStore(url, origin, lockTimeoutMs);
  const { openMongoReputationStore } = await import('./adapters/mongo/mongo-reputation-store.ts');
  return openMongoReputationStore(url, origin);
}

import { openBus, type MessageBus } from '@lobbystats/message-bus';
import {
  busHooks,
  createLogger,
  createMetrics,
  openParts,
  type Logger,
  type Metrics,
  type Sessions,
} from '@lobbystats/service-kit';
import { createSessions } from '@lobbystats/session';
import { openSqliteReputationStore } from './adapters/sqlite/sqlite-reputation-store.ts';
import type { ReputationApiConfig } from './config.ts';
import type { ReputationStore } from './domain/reputation-store.ts';

export { carriedReputation } from './adapters/carried-reputation.ts';
export { reputationSchema } from './adapters/mongo/reputation-schema.ts';
export { reputationMigrations } from './adapters/sqlite/reputation-migrations.ts';

export interface ReputationApiOverrides {
  bus?: MessageBus;
  store?: ReputationStore;
  sessions?: Sessions;
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
  checkAnswers?: boolean;
}

export interface Context {
  readonly bus: MessageBus;
  readonly store: ReputationStore;
  readonly sessions: Sessions;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly checkAnswers: boolean;
  readonly closers: readonly (() => Promise<void>)[];
}

export async function createContext(
  config: ReputationApiConfig,
  overrides: ReputationApiOverrides = {},
): Promise<Context> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN: origin, DATABASE_URL, BUS_URL, AUTH_URL } = config;
  const clock = overrides.clock ?? Date.now;
  const logger = overrides.logger ?? createLogger({ service: 'reputation-api', level: LOG_LEVEL, format: LOG_FORMAT });
  const metrics = overrides.metrics ?? createMetrics('reputation-api');
  const sessions = overrides.sessions ?? createSessions({ authUrl: AUTH_URL, clock, logger, metrics });
  const checkAnswers = overrides.checkAnswers ?? false;
  return openParts(async (part) => {
    const store = await part(overrides.store, () => openReputationStore(DATABASE_URL, origin));
    const bus = await part(overrides.bus, () =>
      openBus({ url: BUS_URL, origin, hooks: busHooks(logger, metrics), clock, service: 'reputation-api' }),
    );
    return { bus, store, sessions, clock, logger, metrics, checkAnswers };
  });
}

/**
 * Opens the store that a URL names. The driver of a server is loaded where its URL asks for it.
 *
 * @param lockedForMs how long to wait for another process that writes to a SQLite file; default: as short as a service must
 */
export async function openReputationStore(url: string, origin: string, lockedForMs?: number): Promise<ReputationStore> {
  if (!url.startsWith('mongodb')) return openSqliteReputationStore(url, origin, lockedForMs);
  const { openMongoReputationStore } = await import('./adapters/mongo/mongo-reputation-store.ts');
  return openMongoReputationStore(url, origin);
}

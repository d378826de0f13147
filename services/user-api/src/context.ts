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
import { keyedNameHash } from './erasure/name-hash.hmac.ts';
import { discordApi } from './profiles/discord.http.ts';
import { readDefinitionsFile } from './achievements/definitions.file.ts';
import { openSqliteUserDatabase } from './database/user-database.sqlite.ts';
import type { UserApiConfig } from './config.ts';
import type { Definitions } from './achievements/definitions.ts';
import type { Discord } from './profiles/discord.ts';
import type { NameHash } from './erasure/erase-user.ts';
import type { UserDatabase } from './database/user-database.ts';

export { exportUsers } from './database/export-users.sqlite.ts';
export { keyedNameHash } from './erasure/name-hash.hmac.ts';
export { userSchema } from './database/user-schema.mongo.ts';
export { userMigrations } from './database/user-migrations.sqlite.ts';

export interface UserApiOverrides {
  bus?: MessageBus;
  store?: UserDatabase;
  sessions?: Sessions;
  definitions?: Definitions;
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
  validateResponses?: boolean;
}

export interface Context {
  readonly bus: MessageBus;
  readonly store: UserDatabase;
  readonly sessions: Sessions;
  readonly definitions: Definitions;
  readonly discord: Discord;
  readonly nameHash: NameHash;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly checkAnswers: boolean;
  readonly disposers: readonly (() => Promise<void>)[];
}

export async function createContext(config: UserApiConfig, overrides: UserApiOverrides = {}): Promise<Context> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN: origin, DATABASE_URL, BUS_URL, AUTH_URL } = config;
  const clock = overrides.clock ?? Date.now;
  const logger = overrides.logger ?? createLogger({ service: 'user-api', level: LOG_LEVEL, format: LOG_FORMAT });
  const metrics = overrides.metrics ?? createMetrics('user-api');
  const lookups = metrics.counter('discord_lookups_total', 'Discord look-ups by outcome', ['outcome']);
  const discord = discordApi({
    url: config.DISCORD_API_URL,
    token: config.DISCORD_BOT_TOKEN,
    onLookup: (outcome) => lookups.inc({ outcome }),
  });
  const nameHash = keyedNameHash(config.ERASURE_KEY);
  const sessions = overrides.sessions ?? createSessionVerifier({ authUrl: AUTH_URL, clock, logger, metrics });
  const definitions = overrides.definitions ?? (await readDefinitionsFile(config.ACHIEVEMENTS_FILE));
  const checkAnswers = overrides.validateResponses ?? false;
  return openResources(async (part) => {
    const store = await part(overrides.store, () => openStore(DATABASE_URL, origin));
    const bus = await part(overrides.bus, () =>
      openBus({ url: BUS_URL, origin, hooks: busHooks(logger, metrics), clock, service: 'user-api' }),
    );
    return { bus, store, sessions, definitions, discord, nameHash, clock, logger, metrics, checkAnswers };
  });
}

/**
 * Opens the store at a URL and loads its driver on demand.
 *
 * @param lockTimeoutMs how long to wait for another process that writes to a SQLite file
 */
export async function openStore(url: string, origin: string, lockTimeoutMs?: number): Promise<UserDatabase> {
  if (!url.startsWith('mongodb')) return openSqliteUserDatabase(url, origin, lockTimeoutMs);
  const { openMongoUserDatabase } = await import('./database/user-database.mongo.ts');
  return openMongoUserDatabase(url, origin);
}

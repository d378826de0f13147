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
import { keyedNameHash } from './adapters/crypto/keyed-name-hash.ts';
import { discordApi } from './adapters/discord/discord-api.ts';
import { readDefinitionsFile } from './adapters/file/read-definitions-file.ts';
import { openSqlitePeopleStore } from './adapters/sqlite/sqlite-people-store.ts';
import type { UserApiConfig } from './config.ts';
import type { Definitions } from './domain/definitions.ts';
import type { Discord } from './domain/discord.ts';
import type { NameHash } from './domain/name-hash.ts';
import type { PeopleStore } from './domain/people-store.ts';

export { carriedPeople } from './adapters/carried-people.ts';
export { keyedNameHash } from './adapters/crypto/keyed-name-hash.ts';
export { peopleSchema } from './adapters/mongo/people-schema.ts';
export { peopleMigrations } from './adapters/sqlite/people-migrations.ts';

export interface UserApiOverrides {
  bus?: MessageBus;
  store?: PeopleStore;
  sessions?: Sessions;
  definitions?: Definitions;
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
  checkAnswers?: boolean;
}

export interface Context {
  readonly bus: MessageBus;
  readonly store: PeopleStore;
  readonly sessions: Sessions;
  readonly definitions: Definitions;
  readonly discord: Discord;
  readonly nameHash: NameHash;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly checkAnswers: boolean;
  readonly closers: readonly (() => Promise<void>)[];
}

export async function createContext(config: UserApiConfig, overrides: UserApiOverrides = {}): Promise<Context> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN: origin, DATABASE_URL, BUS_URL, AUTH_URL } = config;
  const clock = overrides.clock ?? Date.now;
  const logger = overrides.logger ?? createLogger({ service: 'user-api', level: LOG_LEVEL, format: LOG_FORMAT });
  const metrics = overrides.metrics ?? createMetrics('user-api');
  const lookups = metrics.counter('discord_lookups_total', 'Look-ups in Discord, by how they ended', ['outcome']);
  const discord = discordApi({
    url: config.DISCORD_API_URL,
    token: config.DISCORD_BOT_TOKEN,
    onLookup: (outcome) => lookups.inc({ outcome }),
  });
  const nameHash = keyedNameHash(config.FORGOTTEN_KEY);
  const sessions = overrides.sessions ?? createSessions({ authUrl: AUTH_URL, clock, logger, metrics });
  const definitions = overrides.definitions ?? (await readDefinitionsFile(config.ACHIEVEMENTS_FILE));
  const checkAnswers = overrides.checkAnswers ?? false;
  return openParts(async (part) => {
    const store = await part(overrides.store, () => openStore(DATABASE_URL, origin));
    const bus = await part(overrides.bus, () =>
      openBus({ url: BUS_URL, origin, hooks: busHooks(logger, metrics), clock, service: 'user-api' }),
    );
    return { bus, store, sessions, definitions, discord, nameHash, clock, logger, metrics, checkAnswers };
  });
}

/**
 * Loads the driver on demand. `lockedForMs`: how long to wait for another process that writes to a SQLite file.
 *
 * @param lockedForMs how long to wait for another process that writes to a SQLite file
 */
export async function openStore(url: string, origin: string, lockedForMs?: number): Promise<PeopleStore> {
  if (!url.startsWith('mongodb')) return openSqlitePeopleStore(url, origin, lockedForMs);
  const { openMongoPeopleStore } = await import('./adapters/mongo/mongo-people-store.ts');
  return openMongoPeopleStore(url, origin);
}

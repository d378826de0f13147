import {
  formatInstant,
  playersObserved,
  type Message,
  type MessageType,
  type operations,
  type OperationAnswer,
} from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/message-bus';
import { createLogger, type Sessions } from '@lobbystats/service-kit';
import { cleanUp, eventually, getJson, memoryBus, startService, type JsonAnswer } from '@lobbystats/test-kit';
import type { z } from 'zod';
import type { Definitions } from '../src/domain/definitions.ts';
import { createUserApi, readUserApiConfig, type UserApiOverrides } from '../src/service.ts';

export const NOW = 1_800_000_000;
/** The secret of the keyed hashes in tests. */
export const FORGOTTEN_KEY = 'a-key-of-tests-alone';

/** A user-api with an in-process bus and a SQLite store in memory, as a test talks to it. */
export interface RunningUserApi {
  readonly bus: MessageBus;
  readonly url: string;
  /** Epoch milliseconds, for the test to move. */
  readonly clock: { nowMs: number };
  /** All that it has logged. */
  readonly logged: string[];
  /** What it has said in messages of a type, in the log's order. */
  said<Data extends z.ZodType>(type: MessageType<Data>): Message<z.output<Data>>[];
  /** Publishes what the feed has of players, and waits until it is taken in. */
  observe(...players: Partial<ObservedPlayer>[]): Promise<void>;
  get<Body = unknown>(path: string): Promise<JsonAnswer<Body>>;
  /** Sends a body with somebody's session. */
  send<Body = unknown>(path: string, body: unknown, options?: SendOptions): Promise<JsonAnswer<Body>>;
}

interface SendOptions {
  /** Whose session the header bears; null: no header. */
  as?: string | null;
  method?: 'POST' | 'PATCH';
}

type ObservedPlayer = z.input<typeof playersObserved.data>['players'][number];
export type UserProfile = OperationAnswer<typeof operations.getUserProfile>;

export interface RunOptions extends UserApiOverrides {
  env?: Record<string, string>;
}

const noDefinitions: Definitions = { digest: 'none', all: [], groups: [] };

/** Starts a user-api on a free port, which is stopped after the test. */
export async function runUserApi({ env = {}, ...overrides }: RunOptions = {}): Promise<RunningUserApi> {
  const clock = { nowMs: NOW * 1000 };
  const logged: string[] = [];
  const bus = overrides.bus ?? (await memoryBus());
  const config = readUserApiConfig({
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_URL: 'sqlite::memory:',
    FORGOTTEN_KEY,
    ...env,
  });
  const service = await createUserApi(config, {
    clock: () => clock.nowMs,
    sessions: sessionsOfTests,
    definitions: noDefinitions,
    logger: createLogger({ service: 'user-api', level: 'debug', format: 'json', write: (line) => logged.push(line) }),
    checkAnswers: true,
    ...overrides,
    bus,
  });
  const log: Message[] = [];
  const reader = await bus.readLog({
    from: 'start',
    onEntry: ({ message }) => void log.push(message),
    onFault: (error) => {
      throw error;
    },
  });
  cleanUp(() => reader.stop());
  const url = await startService(service);
  return {
    bus,
    url,
    clock,
    logged,
    said: (type) => log.filter((message) => message.type === type.key) as never,
    observe: async (...players) => {
      const seenAt = formatInstant(Math.floor(clock.nowMs / 1000));
      await bus.publish(playersObserved, { seenAt, players: players.map((player) => observedPlayer(seenAt, player)) });
      await eventually(async () => {
        expect(await bus.depth('user-api')).toBe(0);
      });
    },
    get: (path) => getJson(url + path),
    send: (path, body, { as = 'EmberFox', method = 'POST' } = {}) =>
      getJson(url + path, {
        method,
        headers: { 'Content-Type': 'application/json', ...(as !== null && { 'X-Session-Key': sessionKeyOf(as) }) },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

/** A key that the sessions of tests know. */
export function sessionKeyOf(username: string): string {
  return `key-of-${username.replaceAll(' ', '+')}`;
}

/** Sessions as if the auth service had said so. */
const sessionsOfTests: Sessions = {
  verify: async (key) => (key.startsWith('key-of-') ? { username: key.slice(7).replaceAll('+', ' ') } : undefined),
};

/** The path of an operation about somebody. */
export function pathOf({ path }: { path: string }, username: string): string {
  return path.replace(':username', encodeURIComponent(username));
}

function observedPlayer(seenAt: string, player: Partial<ObservedPlayer>): ObservedPlayer {
  return {
    username: 'EmberFox',
    gamertag: 'Ember Fox',
    verified: true,
    isOnline: true,
    titleId: '4d530064',
    game: 'Harbor Racing',
    lastSeenAt: seenAt,
    ...player,
  };
}

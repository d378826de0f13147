import {
  formatInstant,
  playersObserved,
  type Message,
  type MessageType,
  type operations,
  type OperationResponse,
} from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import { createLogger, type Sessions, type OverridesOf } from '@lobbystats/service-kit';
import { cleanUp, eventually, getJson, memoryBus, startService, type JsonResponse } from '@lobbystats/test-kit';
import type { z } from 'zod';
import type { Definitions } from '../src/definitions/definitions.ts';
import { userApi } from '../src/service.ts';

export const NOW = 1_800_000_000;
/** The erasure key in tests. */
export const ERASURE_KEY = 'a-key-of-tests-alone';

/** A test client of a user-api with an in-process bus and a SQLite store in memory. */
export interface RunningUserApi {
  readonly bus: MessageBus;
  readonly url: string;
  /** Epoch milliseconds, for the test to move. */
  readonly clock: { nowMs: number };
  /** All log lines. */
  readonly logged: string[];
  /** Returns the published messages of a type in log order. */
  published<Data extends z.ZodType>(type: MessageType<Data>): Message<z.output<Data>>[];
  /** Publishes sightings of players, and waits until they are consumed. */
  observe(...players: Partial<ObservedPlayer>[]): Promise<void>;
  get<Body = unknown>(path: string): Promise<JsonResponse<Body>>;
  /** Sends a body with the session of a user. */
  send<Body = unknown>(path: string, body: unknown, options?: SendOptions): Promise<JsonResponse<Body>>;
}

interface SendOptions {
  /** The user of the session key in the header; null: no header. */
  as?: string | null;
  method?: 'POST' | 'PATCH';
}

type ObservedPlayer = z.input<typeof playersObserved.data>['players'][number];
export type UserProfile = OperationResponse<typeof operations.getUserProfile>;

export interface RunOptions extends OverridesOf<typeof userApi> {
  env?: Record<string, string>;
}

const noDefinitions: Definitions = { digest: 'none', all: [], groups: [] };

/** Starts a user-api on a free port, which is stopped after the test. */
export async function runUserApi({ env = {}, ...overrides }: RunOptions = {}): Promise<RunningUserApi> {
  const clock = { nowMs: NOW * 1000 };
  const logged: string[] = [];
  const bus = overrides.bus ?? (await memoryBus());
  const config = userApi.readConfig({
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_URL: 'sqlite::memory:',
    ERASURE_KEY,
    ...env,
  });
  const service = await userApi.create(config, {
    clock: () => clock.nowMs,
    sessions: testSessions,
    definitions: noDefinitions,
    ...(env['AUTH_URL'] === undefined && { sessionPresence: async () => undefined }),
    logger: createLogger({ service: 'user-api', level: 'debug', format: 'json', write: (line) => logged.push(line) }),
    validateResponses: true,
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
    published: (type) => log.filter((message) => message.type === type.key) as never,
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

/** Returns a session key that the tests accept. */
export function sessionKeyOf(username: string): string {
  return `key-of-${username.replaceAll(' ', '+')}`;
}

/** Accepts session keys without an auth service. */
const testSessions: Sessions = {
  verify: async (key) => (key.startsWith('key-of-') ? { username: key.slice(7).replaceAll('+', ' ') } : undefined),
};

/** Returns the path of an operation for a user. */
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

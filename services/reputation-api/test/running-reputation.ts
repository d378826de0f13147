import {
  operations,
  userErased,
  userStored,
  type Message,
  type MessageType,
  ratingStored,
} from '@lobbystats/contracts';
import { openBus, type MessageBus } from '@lobbystats/service-kit/bus';
import { silentLogger, type Sessions, type OverridesOf } from '@lobbystats/service-kit';
import { cleanUp, eventually, getJson, type JsonResponse } from '@lobbystats/test-kit';
import type { z } from 'zod';
import { reputationApi } from '../src/service.ts';

export const NOW = 1_800_000_000;

/** The response of reading the ratings of a profile. */
type Reputation = z.output<typeof operations.getReputation.response>;
/** The response of rating a profile. */
type Rated = z.output<typeof operations.rateProfile.response>;

export interface RateOptions {
  /** The session's key: in the header unless `body` has one. Default: `key-of-<rater>`. */
  key?: string | null;
  /** Instead of stars and comment. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A reputation-api with an in-process bus and a SQLite store, as a test talks to it. */
export interface RunningReputation {
  readonly bus: MessageBus;
  readonly url: string;
  /** Epoch milliseconds, for the test to move. */
  readonly clock: { nowMs: number };
  /** Publishes users with their gamertags, and waits until they are consumed. */
  announceUsers(gamertags: Record<string, string>, revision?: number): Promise<void>;
  /** Publishes users who are no longer known. */
  retireUsers(usernames: string[], revision: number): Promise<void>;
  eraseUser(username: string): Promise<void>;
  rate(rater: string, profile: string, stars: number, comment?: string | null): Promise<JsonResponse<Rated>>;
  /** Gives these stars to each profile; a rating that a busy machine refuses is sent again. */
  rateAll(ratings: readonly (readonly [rater: string, profile: string])[], stars: number): Promise<void>;
  post<Body = Rated>(rater: string, profile: string, options: RateOptions): Promise<JsonResponse<Body>>;
  /** Reads the ratings of a profile, optionally with the session of a user. */
  read(profile: string, options?: { as?: string; limit?: number }): Promise<JsonResponse<Reputation>>;
  /** All published messages in log order. */
  readonly log: readonly Message[];
  /** Waits until the last published ratings of these profiles have this average and number. */
  totals(expected: Record<string, { average: number; ratingCount: number }>): Promise<void>;
  /** Waits for the given number of messages of a type that match the filter; in log order. */
  published<Data extends z.ZodType>(
    type: MessageType<Data>,
    count: number,
    isMeant?: (data: z.output<Data>) => boolean,
  ): Promise<Message<z.output<Data>>[]>;
  stop(): Promise<void>;
}

export interface RunOptions extends OverridesOf<typeof reputationApi> {
  env?: Record<string, string>;
}

/** Starts a reputation-api on a free port; it is stopped when the test is over. */
export async function runReputation({ env = {}, ...overrides }: RunOptions = {}): Promise<RunningReputation> {
  const clock = { nowMs: NOW * 1000 };
  const bus = overrides.bus ?? (await openBus({ url: 'memory:', origin: 'simulated' }));
  if (overrides.bus === undefined) cleanUp(() => bus.close());
  const config = reputationApi.readConfig({ PORT: '0', METRICS_PORT: '0', DATABASE_URL: 'sqlite::memory:', ...env });
  const service = await reputationApi.create(config, {
    clock: () => clock.nowMs,
    logger: silentLogger(),
    sessions: testSessions,
    validateResponses: true,
    ...overrides,
    bus,
  });
  cleanUp(() => service.stop());
  const log: Message[] = [];
  const reader = await bus.readLog({
    from: 'start',
    onEntry: ({ message }) => void log.push(message),
    onFault: (error) => {
      throw error;
    },
  });
  cleanUp(() => reader.stop());
  await service.start();

  const settled = () =>
    eventually(async () => {
      expect(await bus.depth('reputation-api')).toBe(0);
    });
  const post: RunningReputation['post'] = (rater, profile, { key = keyOf(rater), body, headers = {} }) =>
    getJson(service.url() + pathOf(profile), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== null && { 'x-session-key': key }), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const rate: RunningReputation['rate'] = (rater, profile, stars, comment) =>
    post(rater, profile, { body: { stars, comment } });
  return {
    bus,
    url: service.url(),
    clock,
    announceUsers: async (gamertags, revision = 1) => {
      const users = Object.entries(gamertags).map(([username, gamertag]) => ({ username, gamertag }));
      await bus.publish(userStored, { revision, users });
      await settled();
    },
    retireUsers: async (retired, revision) => {
      await bus.publish(userStored, { revision, users: [], retired });
      await settled();
    },
    eraseUser: async (username) => {
      await bus.publish(userErased, { username, gamertag: '' });
      await settled();
    },
    rate,
    rateAll: async (ratings, stars) => {
      const sendUntilStored = ([rater, profile]: readonly [string, string]) =>
        eventually(async () => {
          expect((await rate(rater, profile, stars)).status).toBe(200);
        });
      await Promise.all(ratings.map(sendUntilStored));
    },
    post,
    read: (profile, { as, limit } = {}) =>
      getJson(service.url() + pathOf(profile) + (limit === undefined ? '' : `?feedbackLimit=${limit}`), {
        headers: as === undefined ? {} : { 'x-session-key': keyOf(as) },
      }),
    log,
    published: (type, count, isMeant = () => true) =>
      eventually(() => {
        const meant = log.filter((message) => message.type === type.key && isMeant(message.data as never));
        // Two relays of one outbox may publish a fact twice, with the same ID.
        const found = [...new Map(meant.map((message) => [message.id, message])).values()];
        expect(found).toHaveLength(count);
        return found as never;
      }),
    totals: (expected) =>
      eventually(() => {
        const last: Record<string, object> = {};
        for (const { type, data } of log) {
          if (type !== ratingStored.key) continue;
          const { username, average, ratingCount } = ratingStored.data.parse(data);
          last[username] = { average, ratingCount };
        }
        expect(last).toMatchObject(expected);
      }),
    stop: () => service.stop(),
  };
}

/** Returns the path of the ratings of a profile. */
export function pathOf(username: string): string {
  return operations.getReputation.path.replace(':username', encodeURIComponent(username));
}

/** Returns the session key of a user. */
export function keyOf(username: string): string {
  return `key-of-${Buffer.from(username).toString('base64url')}`;
}

/** Accepts session keys created by {@link logIn}. */
const testSessions: Sessions = {
  verify: async (key) => {
    const [, name] = /^key-of-(.+)$/.exec(key) ?? [];
    return name === undefined ? undefined : { username: Buffer.from(name, 'base64url').toString() };
  },
};

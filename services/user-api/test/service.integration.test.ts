import { operations } from '@lobbystats/contracts';
import { createMetrics, type Sessions } from '@lobbystats/service-kit';
import { AppError } from '@lobbystats/contracts/errors';
import { cleanUp, getJson, stopAll } from '@lobbystats/test-kit';
import { openSqliteUserDatabase } from '../src/user-database.sqlite.ts';
import type { UserDatabase } from '../src/user-database.ts';
import { userApi } from '../src/service.ts';
import { ERASURE_KEY, pathOf, runUserApi } from './running-user-api.ts';

const UPDATE = operations.updateProfile.path;
const READS = [
  pathOf(operations.getUserProfile, 'EmberFox'),
  pathOf(operations.getUserGames, 'EmberFox'),
  pathOf(operations.getLeaderboardName, 'EmberFox'),
  pathOf(operations.getUserAchievements, 'EmberFox'),
  operations.listAchievements.path,
  operations.getAchievementLeaderboard.path,
  operations.listRecentUnlocks.path,
];

describe('user-api', () => {
  it('reports dependencies, network and waiting facts at /readyz', async () => {
    const users = await runUserApi();
    const { status, body } = await users.get('/readyz');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ready',
      service: 'user-api',
      network: { origin: 'simulated', simulated: true },
      outbox: { waiting: 0 },
      dependencies: { store: { status: 'up' }, bus: { status: 'up' } },
    });
  });

  it('counts changed users, play time slots, profile updates and waiting facts', async () => {
    const metrics = createMetrics('user-api');
    const users = await runUserApi({ metrics });
    await users.observe({}, { username: 'Marlow', gamertag: '' });
    await users.send(UPDATE, { bio: 'Hello' });
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^lobbystats_user_changes_total(\{.*\})? 2$/m);
    expect(text).toMatch(/^lobbystats_play_slots_total(\{.*\})? 2$/m);
    expect(text).toMatch(/^lobbystats_profile_updates_total(\{.*\})? 1$/m);
    expect(text).toMatch(/^lobbystats_outbox_facts(\{.*\})? \d+$/m);
  });

  it('refuses connections after it has stopped', async () => {
    const users = await runUserApi();
    await stopAll();
    await expect(users.get('/healthz')).rejects.toThrow();
  });

  it('answers every operation that it owns', async () => {
    const users = await runUserApi();
    await users.observe({});
    for (const path of READS) expect(await users.get(path)).toMatchObject({ status: 200 });
  });
});

describe('user-api without an auth service', () => {
  it('answers writes with 503, changes nothing and stays ready', async () => {
    const sessions: Sessions = {
      verify: async () => {
        throw new AppError('unavailable', 'Sessions can’t be checked now');
      },
    };
    const users = await runUserApi({ sessions });
    const answer = await users.send(UPDATE, { bio: 'Hello' });
    expect(answer).toMatchObject({ status: 503 });
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(await users.get('/readyz')).toMatchObject({ status: 200 });
    expect(await users.get(READS[0]!)).toMatchObject({ status: 404 });
  });
});

describe('user-api without a store', () => {
  /** Creates a store that can be made to hang. */
  const hanging = () => {
    const store = openSqliteUserDatabase('sqlite::memory:', 'simulated');
    cleanUp(() => store.close());
    const state = { hangs: false };
    const { promise: hung, reject } = Promise.withResolvers<never>();
    // Loops wait for what they began before they stop.
    const end = () => {
      state.hangs = false;
      reject(new AppError('unavailable', 'The store hung'));
    };
    hung.catch(() => undefined);
    cleanUp(end);
    const hang = <Part extends object>(part: Part): Part =>
      new Proxy(part, {
        get: (target, name) => {
          const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
          return (...args: unknown[]) => (state.hangs ? hung : method(...args));
        },
      });
    const hangingStore: UserDatabase = {
      users: hang(store.users),
      profiles: hang(store.profiles),
      erasures: hang(store.erasures),
      following: hang(store.following),
      channels: hang(store.channels),
      outbox: store.outbox,
      check: () => store.check(),
      close: () => store.close(),
    };
    return { store: hangingStore, state, end };
  };

  it('answers every route with 503, updates included', async () => {
    const { store, state, end } = hanging();
    const users = await runUserApi({ store });
    await users.observe({});
    state.hangs = true;
    const answers = await Promise.all([
      ...READS.map((path) => getJson(users.url + path)),
      users.send(UPDATE, { bio: 'One' }),
      users.send(UPDATE, { bio: 'Two' }),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(503);
      expect(body).toEqual({ error: expect.any(String) });
    }
    end();
    expect(await users.send(UPDATE, { bio: 'Three' })).toMatchObject({ status: 200 });
  });
});

describe('settings of user-api', () => {
  it('require only the erasure key', () => {
    expect(() => userApi.readConfig({})).toThrow(/^ERASURE_KEY must be set/);
    expect(userApi.readConfig({ ERASURE_KEY })).toMatchObject({
      PORT: 8083,
      DATABASE_URL: 'sqlite:./data/users.sqlite',
      DISCORD_API_URL: 'http://127.0.0.1:8090/discord',
      ACHIEVEMENTS_FILE: expect.stringMatching(/\/infra\/achievements\.json$/),
      NETWORK_PUBLIC_URL: 'http://127.0.0.1:8090',
    });
  });

  it('are rejected with all faults at once without repeating the values', () => {
    const read = () =>
      userApi.readConfig({
        ERASURE_KEY: 'too-short',
        DISCORD_BOT_TOKEN: 'w1th\nline',
        DATABASE_URL: 'mysql://name:password@127.0.0.1/x',
        AUTH_URL: 'ftp://127.0.0.1',
      });
    expect(read).toThrow(/ERASURE_KEY must be at least 16 characters long/);
    expect(read).toThrow(/DISCORD_BOT_TOKEN must be visible ASCII/);
    expect(read).toThrow(/DATABASE_URL must be sqlite:PATH/);
    expect(read).toThrow(/AUTH_URL must be a URL/);
    expect(read).not.toThrow(/too-short|w1th|password/);
  });

  it('are never serialised when they are secret', () => {
    const config = userApi.readConfig({ ERASURE_KEY, DISCORD_BOT_TOKEN: 'the-token' });
    expect(JSON.stringify(config)).not.toMatch(/a-key-of|the-token/);
  });
});

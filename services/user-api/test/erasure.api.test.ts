import { DatabaseSync } from 'node:sqlite';
import {
  ERASED_MESSAGE,
  formatInstant,
  operations,
  playerRanked,
  playObserved,
  ratingStored,
  userErased,
  userStored,
} from '@lobbystats/contracts';
import { Secret } from '@lobbystats/service-kit';
import { eventually, stopAll, temporaryDirectory } from '@lobbystats/test-kit';
import { openUserModeration } from '../src/admin.ts';
import { definition, definitionsOf } from './achievement-builders.ts';
import { DISCORD_API_URL, mockDiscord } from './mock-discord.ts';
import { ERASURE_KEY, NOW, pathOf, runUserApi, type RunningUserApi, type RunOptions } from './running-user-api.ts';

const UPDATE = operations.updateProfile.path;
const USER_OPERATIONS = [
  operations.getUserProfile,
  operations.getUserGames,
  operations.getLeaderboardName,
  operations.getUserAchievements,
];

/** Starts a service with the user EmberFox, and returns it with a function that erases a user. */
const run = async ({
  path = `${temporaryDirectory()}/users.sqlite`,
  env = {},
  ...overrides
}: RunOptions & { path?: string } = {}) => {
  const url = `sqlite:${path}`;
  const users = await runUserApi({ env: { DATABASE_URL: url, ...env }, ...overrides });
  await users.observe({}, { username: 'Marlow', gamertag: 'Marlow' });
  await users.send(UPDATE, { bio: 'About me', linked_gamertag: 'Other Tag' });
  const forget = async (name: string, key = ERASURE_KEY) => {
    const moderation = await openUserModeration({
      url,
      origin: 'simulated',
      erasureKey: new Secret(key),
      clock: () => users.clock.nowMs,
    });
    try {
      return await moderation.eraseUser(name);
    } finally {
      await moderation.close();
    }
  };
  return { users, forget };
};

const expectUnknown = async (users: RunningUserApi) => {
  for (const operation of USER_OPERATIONS) {
    expect(await users.get(pathOf(operation, 'EmberFox'))).toMatchObject({ status: 404 });
  }
};

describe('erased user', () => {
  it('is unknown to all operations at once while the service runs', async () => {
    const { users, forget } = await run();
    expect(await forget('EMBERFOX')).toBe('done');
    await expectUnknown(users);
    expect(await users.get(pathOf(operations.getUserProfile, 'Marlow'))).toMatchObject({ status: 200 });
  });

  it('is published by name for other services, and again with the same message ID on a repeat', async () => {
    const { users, forget } = await run();
    const first = { past: false, data: { username: 'EmberFox', gamertag: 'Ember Fox' } };
    const again = { past: false, data: { username: 'emberfox', gamertag: '' } };
    expect(await forget('emberfox')).toBe('done');
    await users.send(UPDATE, { bio: 'One' }, { as: 'Marlow' });
    await eventually(() => {
      expect(users.published(userErased)).toMatchObject([first]);
    });
    expect(await forget('emberfox')).toBe('already');
    await users.send(UPDATE, { bio: 'Two' }, { as: 'Marlow' });
    await eventually(() => {
      expect(users.published(userErased)).toMatchObject([first, again]);
    });
    expect(new Set(users.published(userErased).map(({ id }) => id))).toHaveProperty('size', 1);
  });

  it('keeps the player data while another user has the same gamertag', async () => {
    const path = `${temporaryDirectory()}/users.sqlite`;
    const { users, forget } = await run({ path });
    await users.observe({}, { username: 'Marlow', gamertag: 'ember fox' });
    const rank = { gamertag: 'Ember Fox', titleId: '4d530064', leaderboardId: 17, rank: 1 };
    await users.bus.publish(playerRanked, { revision: 5, ranks: [rank] });
    const database = new DatabaseSync(path, { readOnly: true });
    const players = () => database.prepare('SELECT key FROM player').all();
    await eventually(() => {
      expect(players()).toEqual([{ key: 'ember fox' }]);
    });
    await forget('EmberFox');
    expect(players()).toEqual([{ key: 'ember fox' }]);
    await forget('Marlow');
    expect(players()).toEqual([]);
    database.close();
  });

  it('is not created again by later messages', async () => {
    const { users, forget } = await run();
    await forget('EmberFox');
    const { bus } = users;
    await bus.publish(playObserved, {
      players: [
        {
          username: 'EmberFox',
          gamertag: 'Ember Fox',
          verified: true,
          spans: [
            {
              titleId: '4d530064',
              game: 'Harbor Racing',
              from: formatInstant(NOW - 3600),
              to: formatInstant(NOW - 600),
            },
          ],
        },
      ],
    });
    const raters = [{ username: 'EmberFox', ratingsGiven: 3 }];
    await bus.publish(ratingStored, { username: 'Marlow', average: 4.9, ratingCount: 1, raters });
    const rank = { gamertag: 'Ember Fox', titleId: '4d530064', leaderboardId: 17, rank: 1 };
    await bus.publish(playerRanked, { revision: 5, ranks: [rank] });
    await users.observe({ username: 'emberFOX' }, { username: 'Marlow', gamertag: 'Marlow' });
    await expectUnknown(users);
    await eventually(async () => {
      expect((await users.get('/readyz')).body).toMatchObject({ outbox: { waiting: 0 } });
    });
    const announced = users.published(userStored).flatMap(({ data }) => data.users);
    expect(announced.filter(({ username }) => username === 'EmberFox')).toHaveLength(1);
  });

  it('is in no list and no count', async () => {
    const rule = { kind: 'play-minutes', minutes: 5 } as const;
    const { users, forget } = await run({ definitions: definitionsOf([definition(1, { rule })]) });
    const lists = async () => ({
      leaderboard: (await users.get(operations.getAchievementLeaderboard.path)).body,
      recent: (await users.get(operations.listRecentUnlocks.path)).body,
      catalog: (await users.get(operations.listAchievements.path)).body,
    });
    expect(await lists()).toMatchObject({
      leaderboard: { leaderboard: [{ username: 'EmberFox' }, { username: 'Marlow' }] },
      recent: { recent: [{ username: 'EmberFox' }, { username: 'Marlow' }] },
      catalog: { achievements: [{ unlockedBy: 2 }], stats: { playersWithAchievements: 2 } },
    });
    await forget('EmberFox');
    expect(await lists()).toMatchObject({
      leaderboard: { leaderboard: [{ username: 'Marlow', rank: 1 }] },
      recent: { recent: [{ username: 'Marlow' }] },
      catalog: { achievements: [{ unlockedBy: 1 }], stats: { playersWithAchievements: 1 } },
    });
  });

  it('cannot update a profile', async () => {
    const { users, forget } = await run();
    await forget('EmberFox');
    for (const body of [{}, { bio: 'I am back' }]) {
      expect(await users.send(UPDATE, body)).toMatchObject({ status: 403, body: { error: ERASED_MESSAGE } });
    }
    await expectUnknown(users);
  });

  it('frees the Discord ID for other users', async () => {
    mockDiscord();
    const { users, forget } = await run({ env: { DISCORD_API_URL } });
    const body = { discord_profile_url: 'https://discord.com/users/123456789012345678' };
    await users.send(UPDATE, body);
    expect(await users.send(UPDATE, body, { as: 'Marlow' })).toMatchObject({ status: 400 });
    await forget('EmberFox');
    expect(await users.send(UPDATE, body, { as: 'Marlow' })).toMatchObject({ status: 200 });
  });

  it('stays erased while profile updates arrive', async () => {
    const { users, forget } = await run();
    const writing = Array.from({ length: 20 }, (_, hue) => users.send(UPDATE, { avatar_hue: hue }));
    await forget('EmberFox');
    const statuses = (await Promise.all(writing)).map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 403)).toBe(true);
    await expectUnknown(users);
  });
});

describe('erasure', () => {
  it('reports an erased user as already done and an unknown name as unknown', async () => {
    const { forget } = await run();
    expect(await forget('EmberFox')).toBe('done');
    expect(await forget('EmberFox')).toBe('already');
    expect(await forget('Nobody')).toBe('unknown');
  });

  it('is rejected with another erasure key than the service has', async () => {
    const { users, forget } = await run();
    await expect(forget('EmberFox', 'another-key-of-tests')).rejects.toThrow(/^ERASURE_KEY is not the key/);
    expect(await users.get(pathOf(operations.getUserProfile, 'EmberFox'))).toMatchObject({ status: 200 });
  });

  it('logs a warning once when the service starts with another erasure key', async () => {
    const path = `${temporaryDirectory('file')}/users.sqlite`;
    const warned = async (key: string) => {
      const { users } = await run({ path, env: { ERASURE_KEY: key } });
      await stopAll();
      return users.logged.some((line) => line.includes('ERASURE_KEY changed'));
    };
    expect([await warned(ERASURE_KEY), await warned(ERASURE_KEY)]).toEqual([false, false]);
    expect([await warned('another-key-of-tests'), await warned('another-key-of-tests')]).toEqual([true, false]);
  });

  it('leaves only hashes of the user in the store', async () => {
    const path = `${temporaryDirectory()}/users.sqlite`;
    const { users, forget } = await run({ path });
    await users.bus.publish(playerRanked, {
      revision: 5,
      ranks: [{ gamertag: 'Ember Fox', titleId: '4d530064', leaderboardId: 17, rank: 1 }],
    });
    await users.observe({});
    expect(readAllRows(path)).toMatch(/ember/i);
    await forget('EmberFox');
    // The next commit publishes the waiting fact, which contains the name.
    await users.send(UPDATE, { bio: 'Hello' }, { as: 'Marlow' });
    await eventually(() => {
      expect(readAllRows(path)).not.toMatch(/ember|about me|other tag/i);
    });
    expect(readAllRows(path)).toMatch(/[0-9a-f]{64}/);
  });
});

/** Returns all rows of all tables as JSON. */
function readAllRows(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const rows = tables.flatMap(({ name }) => db.prepare(`SELECT * FROM ${String(name)}`).all());
  db.close();
  return JSON.stringify(rows);
}

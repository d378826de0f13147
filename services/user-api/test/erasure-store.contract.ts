import type { UserDatabase } from '../src/user-database.ts';
import { follow, notifyAll } from './follow-records.ts';
import type { ErasureCommand } from '../src/erasure/erasure-store.ts';
import {
  bits,
  DAY,
  fact,
  factIds,
  playDay,
  player,
  profile,
  put,
  SLOT,
  unlock,
  userWithUnlocks,
  user,
} from './stored-records.ts';

/** Contract of erasure in every user database. `open` returns an empty store each time. */
export function describeErasure(adapter: string, open: () => Promise<UserDatabase>): void {
  describe(`erasure of a user in ${adapter}`, () => {
    let database: UserDatabase;
    beforeEach(async () => {
      database = await open();
      await fillStore(database);
    });
    afterEach(async () => {
      await database.close();
    });

    const forgetA = (changes: Partial<ErasureCommand> = {}) =>
      database.erasures.eraseUser({
        userKey: 'a',
        playerKey: 'a tag',
        hashes: ['hash of a', 'hash of a tag'],
        facts: [fact('a is gone')],
        ...changes,
      });

    it('removes all data of the user and none of other users', async () => {
      const others = await readAllOf(database, 'b');
      await forgetA();
      expect(await readAllOf(database, 'a')).toEqual(NOTHING);
      expect(await readAllOf(database, 'b')).toEqual({ ...others, place: 0 });
      expect(await database.profiles.findDiscordUser('1 a')).toBeUndefined();
      expect(await database.users.erasedHashes()).toEqual(['hash of a', 'hash of a tag']);
      expect(await database.users.findErased(['hash of a', 'hash of b', 'hash of a tag', '__proto__'])).toEqual(
        new Set(['hash of a', 'hash of a tag']),
      );
      expect(await factIds(database)).toEqual(['a is gone']);
    });

    it('removes the user from counts, leaderboard and recent unlocks', async () => {
      await forgetA();
      expect(await database.users.unlockCounts()).toEqual({ byAchievement: new Map([[1, 1]]), players: 1 });
      expect(await database.users.leaderboard(0, 10)).toEqual([
        { rank: 1, username: 'b', score: 10, achievementCount: 1 },
      ]);
      expect((await database.users.recentUnlocks(10)).map(({ userKey }) => userKey)).toEqual(['b']);
      await forgetA({ userKey: 'b', playerKey: undefined, hashes: ['hash of b'], facts: [] });
      expect(await database.users.unlockCounts()).toEqual({ byAchievement: new Map(), players: 0 });
      expect(await database.users.leaderboard(0, 10)).toEqual([]);
    });

    it('makes commits and profile writes based on earlier reads stale', async () => {
      const expectedRevision = await database.users.revision();
      await forgetA();
      expect(
        await database.users.commit({ expectedRevision, revision: expectedRevision + 1, users: [user('a')] }),
      ).toBe(false);
      expect(await database.users.users(['a'])).toEqual(new Map());
      const late = database.profiles.writeProfile({ profile: profile('a', { version: 1 }), facts: [] });
      expect(await late).toBe('stale');
    });

    it('changes nothing for an erased user and publishes the facts again', async () => {
      await forgetA();
      const others = await readAllOf(database, 'b');
      const waiting = await database.outbox.pending(9);
      await database.outbox.remove(waiting.map(({ place }) => place));
      await forgetA();
      await forgetA({ playerKey: undefined, facts: [fact('again')] });
      expect(await readAllOf(database, 'b')).toEqual(others);
      expect(await readAllOf(database, 'a')).toEqual(NOTHING);
      expect(await factIds(database)).toEqual(['a is gone', 'again']);
      expect(await database.users.unlockCounts()).toEqual({ byAchievement: new Map([[1, 1]]), players: 1 });
    });

    it('is serialised with concurrent commits and profile writes', async () => {
      const expectedRevision = await database.users.revision();
      await Promise.all([
        forgetA(),
        database.users.commit({
          expectedRevision,
          revision: expectedRevision + 1,
          users: [userWithUnlocks('a', [1, 2, 3])],
          unlocks: [unlock('a', 3)],
        }),
        database.profiles.writeProfile({ profile: profile('a', { version: 1, discordId: '3' }), facts: [] }),
      ]);
      expect(await readAllOf(database, 'a')).toEqual(NOTHING);
      expect(await database.profiles.findDiscordUser('3')).toBeUndefined();
      expect(await database.users.unlockCounts()).toEqual({ byAchievement: new Map([[1, 1]]), players: 1 });
    });

    it('removes the hashes of a user who is allowed again, once, and adds the facts then', async () => {
      await forgetA();
      const allow = (hashes: string[]) =>
        database.erasures.allowUser({ hashes, facts: [fact(`allow ${hashes.join()}`)] });
      expect(await allow(['hash of b', '__proto__'])).toBe(false);
      expect(await allow(['hash of a'])).toBe(true);
      expect(await allow(['hash of a'])).toBe(false);
      expect(await database.users.findErased(['hash of a', 'hash of a tag'])).toEqual(new Set(['hash of a tag']));
      expect(await factIds(database)).toEqual(['a is gone', 'allow hash of a']);
      const newUser = { user: user('a'), revision: 1, hash: 'hash of a' };
      expect(await database.profiles.writeProfile({ profile: profile('a'), newUser, facts: [] })).toBe('written');
    });

    it('keeps the player when no player key is given, and stores the hash of an unknown user', async () => {
      await forgetA({ playerKey: undefined });
      expect(await database.users.players(['a tag'])).toHaveProperty('size', 1);
      await database.erasures.eraseUser({ userKey: 'z', playerKey: 'z', hashes: ['NUL \0'], facts: [fact('z')] });
      expect(await database.users.findErased(['NUL \0', 'NUL '])).toEqual(new Set(['NUL \0']));
      expect(await factIds(database)).toEqual(['a is gone', 'z']);
    });
  });
}

const NOTHING = {
  ...{ user: undefined, person: undefined, player: undefined, days: [], hosted: [], unlocks: [] },
  ...{ following: [], quietHours: undefined, notifications: [] },
};

/** Reads all data of a user and their player. */
async function readAllOf({ users, profiles, following }: UserDatabase, key: string) {
  const days = [DAY - 1, DAY];
  const place = await users.leaderboardOffset(key);
  return {
    user: (await users.users([key])).get(key),
    person: await profiles.readUser(key),
    player: (await users.players([`${key} tag`])).get(`${key} tag`),
    days: await users.playDays(days.map((day) => ({ key, day }))),
    hosted: await users.hostDays(days.map((day) => ({ key: `${key} tag`, day }))),
    unlocks: await users.unlocksOf(key),
    following: await following.subscriptionsOf(key),
    quietHours: (await following.quietHours([key])).get(key),
    notifications: await following.notificationsOf(key, SLOT, 10),
    ...(place !== undefined && { place }),
  };
}

/** Stores two users with all data: a has two unlocks, b one of them. */
async function fillStore(database: UserDatabase): Promise<void> {
  const slots = bits([1]);
  await put(database, {
    users: [userWithUnlocks('a', [1, 2]), userWithUnlocks('b', [1])],
    players: [player('a tag', ['t:1']), player('b tag', ['t:1'])],
    playDays: ['a', 'b'].flatMap((key) => [playDay(key, [1]), playDay(key, [2], 't', DAY - 1)]),
    hostDays: ['a tag', 'b tag'].flatMap((playerKey) => [
      { playerKey, day: DAY, slots },
      { playerKey, day: DAY - 1, slots },
    ]),
    unlocks: [unlock('a', 1), unlock('a', 2, SLOT + 1), unlock('b', 1)],
  });
  for (const key of ['a', 'b']) {
    await database.profiles.writeProfile({ profile: profile(key, { discordId: `1 ${key}` }), facts: [] });
    await follow(database.following, key);
  }
  await notifyAll(database.following);
}

import type { PeopleStore } from '../src/domain/people-store.ts';
import type { ForgetCommand } from '../src/domain/profile-store.ts';
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
  unlocker,
  user,
} from './stored-records.ts';

/** What every store of people promises of those who are forgotten. `open` gives an empty store each time. */
export function describeForgetting(adapter: string, open: () => Promise<PeopleStore>): void {
  describe(`${adapter}, asked to forget somebody`, () => {
    let people: PeopleStore;
    beforeEach(async () => {
      people = await open();
      await fill(people);
    });
    afterEach(async () => {
      await people.close();
    });

    const forgetA = (changes: Partial<ForgetCommand> = {}) =>
      people.profiles.forget({
        userKey: 'a',
        playerKey: 'a tag',
        hashes: ['hash of a', 'hash of a tag'],
        facts: [fact('a is gone')],
        ...changes,
      });

    it('has nothing of them any more, and everything of the others', async () => {
      const others = await everythingOf(people, 'b');
      await forgetA();
      expect(await everythingOf(people, 'a')).toEqual(NOTHING);
      expect(await everythingOf(people, 'b')).toEqual({ ...others, place: 0 });
      expect(await people.profiles.ownerOfDiscord('1 a')).toBeUndefined();
      expect(await people.users.forgotten(['hash of a', 'hash of b', 'hash of a tag', '__proto__'])).toEqual(
        new Set(['hash of a', 'hash of a tag']),
      );
      expect(await factIds(people)).toEqual(['a is gone']);
    });

    it('counts them no longer', async () => {
      await forgetA();
      expect(await people.users.unlockCounts()).toEqual({ byAchievement: new Map([[1, 1]]), players: 1 });
      expect(await people.users.leaderboard(0, 10)).toEqual([
        { rank: 1, username: 'b', score: 10, achievementCount: 1 },
      ]);
      expect((await people.users.recentUnlocks(10)).map(({ userKey }) => userKey)).toEqual(['b']);
      await forgetA({ userKey: 'b', playerKey: undefined, hashes: ['hash of b'], facts: [] });
      expect(await people.users.unlockCounts()).toEqual({ byAchievement: new Map(), players: 0 });
      expect(await people.users.leaderboard(0, 10)).toEqual([]);
    });

    it('makes what was worked out from them before stale', async () => {
      const expectedRevision = await people.users.revision();
      await forgetA();
      expect(await people.users.commit({ expectedRevision, revision: expectedRevision + 1, users: [user('a')] })).toBe(
        false,
      );
      expect(await people.users.users(['a'])).toEqual(new Map());
      const late = people.profiles.writeProfile({ profile: profile('a', { version: 1 }), facts: [] });
      expect(await late).toBe('stale');
    });

    it('changes nothing when they are forgotten already, and tells of it again', async () => {
      await forgetA();
      const others = await everythingOf(people, 'b');
      const waiting = await people.outbox.pending(9);
      await people.outbox.remove(waiting.map(({ place }) => place));
      await forgetA();
      await forgetA({ playerKey: undefined, facts: [fact('again')] });
      expect(await everythingOf(people, 'b')).toEqual(others);
      expect(await everythingOf(people, 'a')).toEqual(NOTHING);
      expect(await factIds(people)).toEqual(['a is gone', 'again']);
      expect(await people.users.unlockCounts()).toEqual({ byAchievement: new Map([[1, 1]]), players: 1 });
    });

    it('is not held up by a commit or a profile at the same time: one is behind the other', async () => {
      const expectedRevision = await people.users.revision();
      await Promise.all([
        forgetA(),
        people.users.commit({
          expectedRevision,
          revision: expectedRevision + 1,
          users: [unlocker('a', [1, 2, 3])],
          unlocks: [unlock('a', 3)],
        }),
        people.profiles.writeProfile({ profile: profile('a', { version: 1, discordId: '3' }), facts: [] }),
      ]);
      expect(await everythingOf(people, 'a')).toEqual(NOTHING);
      expect(await people.profiles.ownerOfDiscord('3')).toBeUndefined();
      expect(await people.users.unlockCounts()).toEqual({ byAchievement: new Map([[1, 1]]), players: 1 });
    });

    it('keeps the player when nobody knows which, and remembers who was never there', async () => {
      await forgetA({ playerKey: undefined });
      expect(await people.users.players(['a tag'])).toHaveProperty('size', 1);
      await people.profiles.forget({ userKey: 'z', playerKey: 'z', hashes: ['NUL \0'], facts: [fact('z')] });
      expect(await people.users.forgotten(['NUL \0', 'NUL '])).toEqual(new Set(['NUL \0']));
      expect(await factIds(people)).toEqual(['a is gone', 'z']);
    });
  });
}

const NOTHING = { user: undefined, person: undefined, player: undefined, days: [], hosted: [], unlocks: [] };

/** All that is known of a person and their player. */
async function everythingOf({ users, profiles }: PeopleStore, key: string) {
  const days = [DAY - 1, DAY];
  const place = await users.leaderboardOffset(key);
  return {
    user: (await users.users([key])).get(key),
    person: await profiles.readPerson(key),
    player: (await users.players([`${key} tag`])).get(`${key} tag`),
    days: await users.playDays(days.map((day) => ({ key, day }))),
    hosted: await users.hostDays(days.map((day) => ({ key: `${key} tag`, day }))),
    unlocks: await users.unlocksOf(key),
    ...(place !== undefined && { place }),
  };
}

/** Two people with everything: a has two unlocks, b one of them. */
async function fill(people: PeopleStore): Promise<void> {
  const slots = bits([1]);
  await put(people, {
    users: [unlocker('a', [1, 2]), unlocker('b', [1])],
    players: [player('a tag', ['t:1']), player('b tag', ['t:1'])],
    playDays: ['a', 'b'].flatMap((key) => [playDay(key, [1]), playDay(key, [2], 't', DAY - 1)]),
    hostDays: ['a tag', 'b tag'].flatMap((playerKey) => [
      { playerKey, day: DAY, slots },
      { playerKey, day: DAY - 1, slots },
    ]),
    unlocks: [unlock('a', 1), unlock('a', 2, SLOT + 1), unlock('b', 1)],
  });
  for (const key of ['a', 'b']) {
    await people.profiles.writeProfile({ profile: profile(key, { discordId: `1 ${key}` }), facts: [] });
  }
}

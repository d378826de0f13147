import fc from 'fast-check';
import type { UserDatabase } from '../src/user-database.ts';
import type { UserStore } from '../src/users/user-store.ts';
import {
  bits,
  DAY,
  definition,
  fact,
  factIds,
  playDay,
  player,
  put,
  SLOT,
  unwritable,
  user,
} from './stored-records.ts';

/** Contract of commits to every {@link UserStore}. `open` returns an empty store each time. */
export function describeCommits(adapter: string, open: () => Promise<UserDatabase>, numRuns: number): void {
  describe(`commits to ${adapter}`, () => {
    let database: UserDatabase;
    let users: UserStore;
    beforeEach(async () => {
      database = await open();
      ({ users } = database);
    });
    afterEach(async () => {
      await database.close();
    });

    it('returns arbitrary text exactly as it was written', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 5 }), text, async (keys, other) => {
          const some = keys.map((key) =>
            user(key, {
              username: other,
              presence: { at: SLOT, isOnline: true, titleId: other, game: key },
              titles: [{ titleId: key, minutes: 5, lastPlayedAt: SLOT }],
            }),
          );
          const days = keys.map((key) => ({
            userKey: key,
            day: DAY,
            titles: new Map([
              [other, bits([1])],
              [key, bits([2])],
            ]),
          }));
          const players = keys.map((key) => ({ ...player('', [other, key]), key }));
          const named = definition(1, {
            key: other,
            name: keys.join(''),
            rule: { kind: 'leaderboard-rank', rank: 1, titleId: other },
          });
          const evaluation = { digest: other, after: keys[0], done: false };
          await put(database, { users: some, playDays: days, players, definitions: [named], evaluation });

          const [found, foundPlayers] = await Promise.all([users.users(keys), users.players(keys)]);
          expect(keys.map((key) => found.get(key))).toEqual(some);
          expect(keys.map((key) => foundPlayers.get(key))).toEqual(players);
          const foundDays = await users.playDays(keys.map((key) => ({ key, day: DAY })));
          expect(keys.map((key) => foundDays.find(({ userKey }) => userKey === key))).toEqual(days);
          expect([await users.definitions(), await users.evaluation()]).toEqual([[named], evaluation]);
        }),
        { numRuns },
      );
    });

    it('rejects a commit with another expected revision and changes nothing', async () => {
      await put(database, { users: [user('a')], facts: [fact('kept')] });
      const stale = { users: [user('a', { ratingsGiven: 9 }), user('b')], playDays: [playDay('a', [1])] };
      expect(await users.commit({ expectedRevision: 0, revision: 9, ...stale, facts: [fact('stale')] })).toBe(false);
      expect(await users.commit({ expectedRevision: 2, revision: 9, ...stale, facts: [fact('early')] })).toBe(false);
      expect(await users.users(['a', 'b'])).toEqual(new Map([['a', user('a')]]));
      expect(await users.playDays([{ key: 'a', day: DAY }])).toEqual([]);
      expect([await users.revision(), await factIds(database)]).toEqual([1, ['kept']]);
    });

    it('stores the revision that the commit names', async () => {
      expect(await users.commit({ expectedRevision: 0, revision: 1_800_000_000_000 })).toBe(true);
      expect(await users.revision()).toBe(1_800_000_000_000);
    });

    it('accepts exactly one of several concurrent commits on the same revision', async () => {
      const commits = ['a', 'b', 'c', 'd'].map((key) => ({
        expectedRevision: 0,
        revision: 1,
        users: [user(key)],
        facts: [fact(key)],
      }));
      const results = await Promise.all(commits.map((commit) => users.commit(commit)));
      expect(results.filter(Boolean)).toHaveLength(1);
      const winner = ['a', 'b', 'c', 'd'][results.indexOf(true)] ?? '';
      expect([...(await users.users(['a', 'b', 'c', 'd'])).keys()]).toEqual([winner]);
      expect([await users.revision(), await factIds(database)]).toEqual([1, [winner]]);
    });

    it('changes nothing when a part of the commit fails', async () => {
      await put(database, { facts: [fact('one')] });
      const half = {
        expectedRevision: 1,
        revision: 2,
        users: [user('a')],
        playDays: [playDay('a', [1])],
        facts: [fact('two'), unwritable],
      };
      await expect(users.commit(half)).rejects.toThrow();
      expect(await users.users(['a'])).toEqual(new Map());
      expect([await users.revision(), await factIds(database)]).toEqual([1, ['one']]);
    });

    it('appends facts to the outbox in commit order', async () => {
      await put(database, { facts: [fact('b'), fact('a')] });
      const [first] = await database.outbox.pending(1);
      await database.outbox.remove([first?.place ?? -1]);
      await put(database, { facts: [fact('__proto__')] });
      expect(await factIds(database)).toEqual(['a', '__proto__']);
      expect(await database.outbox.pending(1)).toEqual([{ place: expect.any(Number), ...fact('a') }]);
    });

    it('stores and reads 5,000 users and their play days in one commit', async () => {
      const keys = Array.from({ length: 5000 }, (_, index) => `player ${index}`);
      const some = keys.map((key) => user(key));
      await put(database, { users: some, playDays: keys.map((key) => playDay(key, [1])) });
      const later = some.map((one) => ({ ...one, ratingsGiven: 1 }));
      const days = keys.map((key) => playDay(key, [1, 2]));
      await put(database, { users: later, playDays: days });
      const stored = await users.users(keys);
      const found = new Map(
        (await users.playDays(keys.map((key) => ({ key, day: DAY })))).map((day) => [day.userKey, day]),
      );
      expect([stored.size, found.size]).toEqual([5000, 5000]);
      // Jest takes seconds to compare them all.
      for (let n = 0; n < 5000; n += 250) {
        expect([stored.get(`player ${n}`), found.get(`player ${n}`)]).toEqual([later[n], days[n]]);
      }
    });
  });
}

/** Arbitrary well-formed text, biased to text with a special meaning in a database or in JavaScript. */
const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.constantFrom('__proto__', '$where', 'a.b', '\0', '.', 'constructor'),
);

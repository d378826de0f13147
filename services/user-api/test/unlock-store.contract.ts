import { compareCodePoints } from '@lobbystats/contracts';
import fc from 'fast-check';
import type { UserDatabase } from '../src/user-database.ts';
import type { NamedUnlock, UserRecord } from '../src/users/user-record.ts';
import type { UserStore } from '../src/users/user-store.ts';
import { put, SLOT, unlock, userWithUnlocks, user } from './stored-records.ts';

/** Contract of unlocks and the leaderboard of every {@link UserStore}. `open` returns an empty store each time. */
export function describeUnlockStore(adapter: string, open: () => Promise<UserDatabase>, numRuns: number): void {
  describe(`unlock store in ${adapter}`, () => {
    let database: UserDatabase;
    let users: UserStore;
    beforeEach(async () => {
      database = await open();
      ({ users } = database);
    });
    afterEach(async () => {
      await database.close();
    });

    it('has no unlocks at first', async () => {
      await put(database, { users: [user('a', { score: 5 })] });
      expect(await users.unlockCounts()).toEqual({ byAchievement: new Map(), players: 0 });
      expect(await users.leaderboard(0, 10)).toEqual([]);
      expect(await users.leaderboardOffset('a')).toBeUndefined();
      expect(await users.recentUnlocks(10)).toEqual([]);
      expect(await users.unlocksOf('a')).toEqual([]);
    });

    it('returns the unlocks of a user newest first, then by id, optionally since a time', async () => {
      const unlocks = [
        unlock('a', 3, SLOT),
        unlock('a', 10, SLOT),
        unlock('a', 2, SLOT + 300),
        unlock('a', 1, SLOT - 300),
      ];
      const others = [unlock('b', 3, SLOT)];
      await put(database, {
        users: [userWithUnlocks('a', [1, 2, 3, 10]), userWithUnlocks('b', [3])],
        unlocks: [...unlocks, ...others],
      });
      expect((await users.unlocksOf('a')).map(({ achievementId }) => achievementId)).toEqual([2, 3, 10, 1]);
      expect(await users.unlocksOf('a', SLOT + 1)).toEqual([unlock('a', 2, SLOT + 300)]);
      expect(await users.unlocksOf('a', SLOT)).toHaveLength(3);
      expect(await users.unlocksOf('b')).toEqual(others);
    });

    it('returns the times of the unlocks of users, and moves them', async () => {
      const unlocks = [unlock('a', 1), unlock('a', 2), unlock('b', 1), unlock('__proto__', 7, SLOT + 300)];
      const all = [userWithUnlocks('a', [1, 2]), userWithUnlocks('b', [1]), userWithUnlocks('__proto__', [7])];
      await put(database, { users: all, unlocks });
      await put(database, { movedUnlocks: [unlock('a', 2, SLOT - 300)] });
      expect(await users.unlockTimes(['a', '__proto__', 'nobody'])).toEqual(
        new Map([
          [
            'a',
            new Map([
              [1, SLOT],
              [2, SLOT - 300],
            ]),
          ],
          ['__proto__', new Map([[7, SLOT + 300]])],
        ]),
      );
      expect((await users.recentUnlocks(9)).at(-1)).toEqual({ ...unlock('a', 2, SLOT - 300), username: 'a' });
      expect((await users.unlockCounts()).byAchievement.get(2)).toBe(1);
    });

    it('returns the newest unlocks, then by achievement, then by username in code-point order', async () => {
      const names = ['b', 'B', '\u{1F3C1}', '\uFFFD', '__proto__'];
      await put(database, {
        users: names.map((name) => userWithUnlocks(`key of ${name}`, [1, 2], { username: name })),
        unlocks: names.flatMap((name) => [unlock(`key of ${name}`, 2), unlock(`key of ${name}`, 1, SLOT + 300)]),
      });
      const inOrder = ['B', '__proto__', 'b', '\uFFFD', '\u{1F3C1}'];
      const recent = await users.recentUnlocks(100);
      expect(recent.map(({ username }) => username)).toEqual([...inOrder, ...inOrder]);
      expect(recent.map(({ achievementId }) => achievementId)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
      expect(await users.recentUnlocks(1)).toEqual([{ ...unlock('key of B', 1, SLOT + 300), username: 'B' }]);
      expect(await users.recentUnlocks(3, 4)).toEqual(recent.slice(4, 7));
      expect(await users.recentUnlocks(3, 10)).toEqual([]);
      expect(await users.recentUnlocks(100, 1, 1)).toEqual(
        recent.filter(({ achievementId }) => achievementId === 1).slice(1),
      );
    });

    it('uses the latest spelling of a username everywhere', async () => {
      await put(database, { users: [userWithUnlocks('a', [1])], unlocks: [unlock('a', 1)] });
      await put(database, {
        users: [userWithUnlocks('a', [1, 2], { username: 'A' })],
        unlocks: [unlock('a', 2, SLOT + 1)],
      });
      expect((await users.recentUnlocks(10)).map(({ username }) => username)).toEqual(['A', 'A']);
      await put(database, { users: [userWithUnlocks('a', [1, 2], { username: 'a' })] });
      expect((await users.recentUnlocks(10)).map(({ username }) => username)).toEqual(['a', 'a']);
      expect(await users.leaderboard(0, 10)).toMatchObject([{ username: 'a' }]);
    });

    it('ranks by score with ties on any page', async () => {
      const scores = { top: 30, b: 20, B: 20, low: 10, none: 0 };
      await put(database, {
        users: Object.entries(scores).map(([key, score]) => userWithUnlocks(key, [1], { score })),
        unlocks: Object.keys(scores).map((key) => unlock(key, 1)),
      });
      await put(database, { users: [user('not on it', { score: 99 })] });
      const expectedEntries = [
        { rank: 1, username: 'top', score: 30, achievementCount: 1 },
        { rank: 2, username: 'B', score: 20, achievementCount: 1 },
        { rank: 2, username: 'b', score: 20, achievementCount: 1 },
        { rank: 4, username: 'low', score: 10, achievementCount: 1 },
        { rank: 5, username: 'none', score: 0, achievementCount: 1 },
      ];
      for (let offset = 0; offset <= expectedEntries.length; offset += 1) {
        for (const limit of [1, 2, 10]) {
          expect(await users.leaderboard(offset, limit)).toEqual(expectedEntries.slice(offset, offset + limit));
        }
      }
      for (const [offset, { username }] of expectedEntries.entries())
        expect(await users.leaderboardOffset(username)).toBe(offset);
      expect(await users.leaderboardOffset('not on it')).toBeUndefined();
      expect(await users.leaderboardOffset('nobody')).toBeUndefined();
    });

    it('agrees with an in-memory model after arbitrary commits', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 5 }), async (commits) => {
          await database.close();
          database = await open();
          ({ users } = database);
          await expectPlainList(database, commits);
        }),
        { numRuns },
      );
    });
  });
}

/** A user unlocks an achievement, is renamed or gets points. */
const step = fc.record({
  key: fc.constantFrom('a', 'b', '__proto__', '$set', 'NUL \0'),
  username: fc.constantFrom('x', 'X', 'y'),
  achievementId: fc.option(fc.integer({ min: 1, max: 4 })),
  points: fc.constantFrom(0, 10),
  unlockedAt: fc.integer({ min: SLOT, max: SLOT + 2 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function expectPlainList(database: UserDatabase, commits: readonly (readonly Step[])[]): Promise<void> {
  const all = new Map<string, UserRecord>();
  const unlocks: NamedUnlock[] = [];
  for (const steps of commits) {
    const changed = new Set<string>();
    const added: NamedUnlock[] = [];
    for (const { key, username, achievementId, points, unlockedAt } of steps) {
      const before = all.get(key) ?? user(key);
      const isNew = achievementId !== null && !before.unlocked.includes(achievementId);
      const unlocked = isNew ? [...before.unlocked, achievementId].toSorted((a, b) => a - b) : before.unlocked;
      // Usernames are unique.
      all.set(key, { ...before, username: `${username} ${key}`, unlocked, score: before.score + points });
      if (isNew) added.push({ userKey: key, achievementId, unlockedAt, username: '' });
      changed.add(key);
    }
    unlocks.push(...added);
    await put(database, { users: [...changed].map((key) => all.get(key) ?? user(key)), unlocks: added.map(bare) });
  }

  const board = [...all.values()]
    .filter(({ unlocked }) => unlocked.length > 0)
    .toSorted((a, b) => b.score - a.score || compareCodePoints(a.username, b.username));
  const expectedEntries = board.map(({ username, score, unlocked }) => ({
    rank: 1 + board.filter((other) => other.score > score).length,
    username,
    score,
    achievementCount: unlocked.length,
  }));
  expect(await database.users.leaderboard(0, 100)).toEqual(expectedEntries);
  for (const [offset, { key }] of board.entries()) {
    expect(await database.users.leaderboard(offset, 2)).toEqual(expectedEntries.slice(offset, offset + 2));
    expect(await database.users.leaderboardOffset(key)).toBe(offset);
  }
  const ids = [...new Set(unlocks.map(({ achievementId }) => achievementId))];
  expect(await database.users.unlockCounts()).toEqual({
    byAchievement: new Map(ids.map((id) => [id, unlocks.filter(({ achievementId }) => achievementId === id).length])),
    players: board.length,
  });
  const named = unlocks.map((one) => ({ ...one, username: all.get(one.userKey)?.username ?? '' }));
  expect(await database.users.recentUnlocks(100)).toEqual(named.toSorted(newestFirst));
}

function bare({ userKey, achievementId, unlockedAt }: NamedUnlock) {
  return { userKey, achievementId, unlockedAt };
}

function newestFirst(a: NamedUnlock, b: NamedUnlock): number {
  const earlier = b.unlockedAt - a.unlockedAt || a.achievementId - b.achievementId;
  return earlier || compareCodePoints(a.username, b.username);
}

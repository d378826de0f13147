import { eventually } from '@lobbystats/test-kit';
import { killDuringWrites } from '@lobbystats/test-kit/kill-during-writes';
import { startMongod, type TestMongod } from '@lobbystats/test-kit/test-mongod';
import { openMongoUserDatabase } from '../src/user-database.mongo.ts';
import type { UserDatabase } from '../src/user-database.ts';
import { prepareUserDatabase } from './prepare-user-database.ts';
import { bits, DAY, fact, unlock, userWithUnlocks } from './stored-records.ts';

let server: TestMongod;
let database: UserDatabase;
beforeAll(async () => {
  server = await startMongod();
  const { url } = await prepareUserDatabase('users', server.url);
  database = await openMongoUserDatabase(url, 'simulated');
});
afterAll(async () => {
  await database.close();
  await server.remove();
});

const KEYS = Array.from({ length: 200 }, (_, index) => `user ${index}`);
/** Unlocks of each user at a revision: one more with each of the first 30 commits. */
const unlockedAt = (revision: number) => Array.from({ length: Math.min(revision, 30) }, (_, index) => index + 1);
const userAt = (revision: number) => (key: string) =>
  userWithUnlocks(key, unlockedAt(revision), { ratingsGiven: revision });
const dayAt = (revision: number) => (userKey: string) => ({
  userKey,
  day: DAY,
  titles: new Map([[String(revision), bits([revision % 288])]]),
});

/** Commits the state of the next revision; returns 0 on a conflict. */
async function commitNext({ users }: UserDatabase): Promise<number> {
  const expectedRevision = await users.revision();
  const revision = expectedRevision + 1;
  const isDone = await users.commit({
    expectedRevision,
    revision,
    users: KEYS.map(userAt(revision)),
    playDays: KEYS.map(dayAt(revision)),
    unlocks: revision > 30 ? [] : KEYS.map((key) => unlock(key, revision)),
    facts: [fact(String(revision))],
  });
  return isDone ? revision : 0;
}

describe('users while MongoDB is killed during commits', () => {
  it('have every acknowledged commit and no partial commit after the restart', async () => {
    const acknowledged: number[] = [];
    const write = () =>
      commitNext(database).then(
        (revision) => {
          if (revision > 0) acknowledged.push(revision);
        },
        (error: unknown) => expect(error).toMatchObject({ code: 'unavailable' }),
      );
    // Two writers conflict with each other like two replicas.
    await killDuringWrites(server, {
      writers: [write, write],
      acknowledged: () => acknowledged.length,
      minBetweenKills: 5,
    });
    await eventually(() => database.check());

    const { users, outbox } = database;
    const revision = await users.revision();
    expect(revision).toBeGreaterThanOrEqual(Math.max(...acknowledged));
    const found = await users.users(KEYS);
    expect(KEYS.map((key) => found.get(key))).toEqual(KEYS.map(userAt(revision)));
    const days = await users.playDays(KEYS.map((key) => ({ key, day: DAY })));
    expect(days).toHaveLength(KEYS.length);
    for (const { titles } of days) expect([...titles.keys()]).toEqual([String(revision)]);
    expect(await users.unlockCounts()).toEqual({
      byAchievement: new Map(unlockedAt(revision).map((id) => [id, KEYS.length])),
      players: KEYS.length,
    });
    expect(await users.leaderboardOffset('user 0')).toBe(0);
    expect(await users.recentUnlocks(10_000)).toHaveLength(KEYS.length * unlockedAt(revision).length);
    expect(await outbox.backlog()).toBe(revision);
  });
});

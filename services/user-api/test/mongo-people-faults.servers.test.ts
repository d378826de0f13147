import { eventually } from '@lobbystats/test-kit';
import { killAmidWrites } from '../../../test/stack/kill-amid-writes.ts';
import { ownMongod, type OwnMongod } from '../../../test/stack/own-mongod.ts';
import { openMongoPeopleStore } from '../src/adapters/mongo/mongo-people-store.ts';
import type { PeopleStore } from '../src/domain/people-store.ts';
import { mongoPeople } from './stored-mongo.ts';
import { bits, DAY, fact, unlock, unlocker } from './stored-records.ts';

let server: OwnMongod;
let people: PeopleStore;
beforeAll(async () => {
  server = await ownMongod();
  const { url } = await mongoPeople('people', server.url);
  people = await openMongoPeopleStore(url, 'simulated');
}, 60_000);
afterAll(async () => {
  await people.close();
  await server.remove();
});

const KEYS = Array.from({ length: 200 }, (_, index) => `user ${index}`);
/** Everyone's unlocks at a revision: each has unlocked one more with each of the first commits. */
const unlockedAt = (revision: number) => Array.from({ length: Math.min(revision, 30) }, (_, index) => index + 1);
const userAt = (revision: number) => (key: string) => unlocker(key, unlockedAt(revision), { ratingsGiven: revision });
const dayAt = (revision: number) => (userKey: string) => ({
  userKey,
  day: DAY,
  titles: new Map([[String(revision), bits([revision % 288])]]),
});

/** Commits what follows from the revision as it stands; 0 when another was faster. */
async function commitNext({ users }: PeopleStore): Promise<number> {
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

describe('people whose MongoDB is killed in mid-commit', () => {
  it('have every commit that was acknowledged, and none by halves', async () => {
    const acknowledged: number[] = [];
    const write = () =>
      commitNext(people).then(
        (revision) => {
          if (revision > 0) acknowledged.push(revision);
        },
        (error: unknown) => expect(error).toMatchObject({ code: 'unavailable' }),
      );
    // Two of them, as two replicas: one is always in the way of the other.
    await killAmidWrites(server, { writers: [write, write], acknowledged: () => acknowledged.length, between: 5 });
    await eventually(() => people.check(), { timeoutMs: 20_000 });

    const { users, outbox } = people;
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
  }, 120_000);
});

import { AppError } from '@lobbystats/contracts/errors';
import type { Definitions } from '../src/definitions/definitions.ts';
import { AllUsersEvaluation, USERS_PER_BATCH } from '../src/observations/all-users-evaluation.ts';
import type { UserDatabase } from '../src/user-database.ts';
import { startReEvaluation, type EvaluationProgress } from '../src/observations/re-evaluation.ts';
import type { UserRecord } from '../src/users/user-record.ts';
import type { UserStore } from '../src/users/user-store.ts';
import {
  definition,
  definitionsOf,
  userRecord,
  titlePlays,
  playerOf,
  RANKED_AT,
  TITLE,
} from './achievement-builders.ts';
import { emptyStore, put } from './achievement-stores.ts';
import { failAt, overrideStore } from './faulty-store.ts';

const NOW = 1_800_000_000;
/** Slots of earlier days are no longer stored. */
const DAYS_STORED_SINCE = Math.floor(NOW / 86_400 - 32) * 86_400;
const LONG_AGO = NOW - 40 * 86_400;
const USER_COUNT = USERS_PER_BATCH * 2 + 7;

const hour = definition(1, { points: 10 });
const best = definition(2, { points: 50, rule: { kind: 'leaderboard-rank', rank: 1 } });
const hosted = definition(3, { points: 5, rule: { kind: 'sessions-hosted', count: 3 }, isHidden: true });
const removedDefinition = definition(9, { points: 7, rule: { kind: 'ratings-given', count: 1 } });
const before = definitionsOf([{ ...hour, points: 3 }, removedDefinition], 'before');
const after = definitionsOf([hour, best, hosted], 'after');

const names = Array.from({ length: USER_COUNT }, (_, n) => `P${String(n).padStart(4, '0')}`);

/** Every user has unlocked an hour of play for 3 points; every third has rank 1, every fifth has rated a profile. */
async function openFilledStore(): Promise<UserDatabase> {
  const store = emptyStore();
  const isRater = (n: number) => n % 5 === 0;
  await put(store.users, {
    definitions: before.all,
    evaluation: { digest: 'before', after: names.at(-1), done: true },
    users: names.map((name, n) =>
      userRecord(name, {
        titles: titlePlays({ [TITLE]: 60 }),
        unlocked: isRater(n) ? [1, 9] : [1],
        score: isRater(n) ? 10 : 3,
      }),
    ),
    unlocks: names.flatMap((name, n) => {
      const unlock = { userKey: name.toLowerCase(), achievementId: 1, unlockedAt: LONG_AGO };
      return isRater(n) ? [unlock, { ...unlock, achievementId: 9 }] : [unlock];
    }),
    players: names.flatMap((name, n) => (n % 3 === 0 ? [playerOf(name, { [`${TITLE}:1`]: 1 }, n)] : [])),
  });
  return store;
}

const optionsOf = (store: UserStore, definitions: Definitions = after) => ({
  store,
  definitions,
  clock: () => NOW * 1000,
  origin: 'simulated',
});

/** Runs the re-evaluation to its end, like a service. */
async function evaluateAllUsers(store: UserStore, definitions = after): Promise<EvaluationProgress[]> {
  const progressReports: EvaluationProgress[] = [];
  const running = await startReEvaluation({
    ...optionsOf(store, definitions),
    onProgress: (progress) => progressReports.push(progress),
    onUnlocks: () => undefined,
    onFault: (error) => {
      throw error;
    },
  });
  await running.ended;
  return progressReports;
}

async function readAllUsers({ users }: UserDatabase): Promise<UserRecord[]> {
  return users.usersAfter(undefined, USER_COUNT + 1);
}

async function expectAllEvaluated(store: UserDatabase): Promise<void> {
  const allUsers = await readAllUsers(store);
  expect(allUsers).toHaveLength(USER_COUNT);
  for (const [n, { unlocked, score }] of allUsers.entries()) {
    const ids = [1, ...(n % 3 === 0 ? [2] : []), ...(n % 3 === 0 && n >= 3 ? [3] : []), ...(n % 5 === 0 ? [9] : [])];
    const points: Record<number, number> = { 1: 10, 2: 50, 3: 5, 9: 7 };
    expect([n, unlocked, score]).toEqual([n, ids, ids.reduce((sum, id) => sum + (points[id] ?? 0), 0)]);
  }
  const counts = await store.users.unlockCounts();
  expect(counts.byAchievement.get(1)).toBe(USER_COUNT);
  expect(counts.byAchievement.get(2)).toBe(Math.ceil(USER_COUNT / 3));
  expect(await store.users.evaluation()).toMatchObject({ digest: 'after', done: true });
}

/** Expects each unlock in the facts exactly once. */
async function expectPublishedOnce(store: UserDatabase): Promise<void> {
  const facts = await store.outbox.pending(1000);
  const publishedUnlocks = facts.flatMap(
    ({ data }) => (data as { unlocks: { username: string; achievementId: number }[] }).unlocks,
  );
  const pairs = publishedUnlocks.map(({ username, achievementId }) => `${username} ${achievementId}`);
  const third = Math.ceil(USER_COUNT / 3);
  expect(pairs).toHaveLength(third + (third - 1));
  expect(new Set(pairs).size).toBe(pairs.length);
  expect(new Set(facts.map(({ id }) => id)).size).toBe(facts.length);
  expect(facts.every(({ past }) => past)).toBe(true);
  expect(JSON.stringify(publishedUnlocks)).not.toContain('Name 3');
}

describe('changed definitions file', () => {
  it('re-evaluates all users once with new unlocks at the times that are known and current points', async () => {
    const store = await openFilledStore();
    const [end, ...others] = await evaluateAllUsers(store.users);
    expect(others).toEqual([]);
    expect(end).toMatchObject({ state: 'done', users: USER_COUNT });
    await expectAllEvaluated(store);
    await expectPublishedOnce(store);
    const unlocks = await store.users.unlocksOf('p0003');
    expect(unlocks.map(({ achievementId, unlockedAt }) => [achievementId, unlockedAt])).toEqual([
      [3, DAYS_STORED_SINCE - 300],
      [1, LONG_AGO],
      [2, RANKED_AT],
    ]);
  });

  it('does nothing when it was evaluated before', async () => {
    const store = await openFilledStore();
    await evaluateAllUsers(store.users);
    const revision = await store.users.revision();
    expect(await evaluateAllUsers(store.users)).toEqual([]);
    expect(await store.users.revision()).toBe(revision);
  });

  it('keeps unlocks of removed definitions after two changes of the file', async () => {
    const store = await openFilledStore();
    await evaluateAllUsers(store.users);
    await evaluateAllUsers(store.users, definitionsOf([definition(1, { points: 1 })], 'third'));
    const allUsers = await readAllUsers(store);
    expect(allUsers[0]).toMatchObject({ unlocked: [1, 2, 9], score: 1 + 50 + 7 });
    expect((await store.users.definitions()).map(({ id, points }) => [id, points])).toEqual([
      [1, 1],
      [2, 50],
      [3, 5],
      [9, 7],
    ]);
  });

  it('is marked as evaluated on an empty store', async () => {
    const store = emptyStore();
    expect(await evaluateAllUsers(store.users)).toEqual([]);
    expect(await store.users.evaluation()).toMatchObject({ digest: 'after', done: true });
    expect(await store.users.definitions()).toEqual(after.all);
  });

  it('has its definitions stored before the service start continues', async () => {
    const store = await openFilledStore();
    await new AllUsersEvaluation(optionsOf(store.users)).begin();
    expect((await store.users.definitions()).map(({ id }) => id)).toEqual([1, 2, 3, 9]);
    expect(await store.users.evaluation()).toEqual({ digest: 'after', after: undefined, done: false });
  });
});

describe('evaluation of all users', () => {
  it.each(['before', 'after'] as const)('resumes after a kill just %s any of its commits', async (moment) => {
    let commits = Infinity;
    for (let cut = 0; cut <= commits; cut += 1) {
      const store = await openFilledStore();
      const [fragile, count] = failAt(store.users, cut, moment);
      await evaluateUntilFailure(fragile);
      await evaluateAllUsers(store.users);
      await expectAllEvaluated(store);
      await expectPublishedOnce(store);
      if (count() <= cut) commits = cut;
    }
    expect(commits).toBeGreaterThan(3);
  });

  it('evaluates each user once with several concurrent replicas', async () => {
    const store = await openFilledStore();
    const replicaReports = await Promise.all([1, 2, 3, 4].map(() => evaluateAllUsers(store.users)));
    await expectAllEvaluated(store);
    await expectPublishedOnce(store);
    expect(replicaReports.flat().reduce((sum, { users }) => sum + users, 0)).toBe(USER_COUNT);
  });

  it('reads a batch again when another commit changed it', async () => {
    const store = await openFilledStore();
    let others = 0;
    const busy = overrideStore(store.users, {
      usersAfter: async (key, limit) => {
        const page = await store.users.usersAfter(key, limit);
        if (others < 4) {
          others += 1;
          const [user] = await store.users.usersAfter(undefined, 1);
          await put(store.users, { users: [{ ...user!, ratingsGiven: others }] });
        }
        return page;
      },
    });
    await evaluateAllUsers(busy);
    await expectAllEvaluated(store);
    expect((await readAllUsers(store))[0]?.ratingsGiven).toBe(4);
  });

  it('stops when another replica has begun with other definitions', async () => {
    const store = await openFilledStore();
    const older = new AllUsersEvaluation(optionsOf(store.users));
    await older.begin();
    expect(await older.step()).toMatchObject({ state: 'more', users: USERS_PER_BATCH });
    await new AllUsersEvaluation(optionsOf(store.users, definitionsOf([hour], 'newer'))).begin();
    expect(await older.step()).toEqual({ state: 'overtaken', users: 0, unlocks: 0 });
  });

  it('retries and reports the fault when the store is unavailable', async () => {
    const store = await openFilledStore();
    let away = 1;
    const faults: unknown[] = [];
    const running = await startReEvaluation({
      ...optionsOf(
        overrideStore(store.users, {
          usersAfter: async (key, limit) => {
            if (away > 0) {
              away -= 1;
              throw new AppError('unavailable', 'The store is away');
            }
            return store.users.usersAfter(key, limit);
          },
        }),
      ),
      onProgress: () => undefined,
      onUnlocks: () => undefined,
      onFault: (error) => faults.push(error),
    });
    await running.ended;
    expect(faults).toHaveLength(1);
    await expectAllEvaluated(store);
  });

  it('stops between two steps and resumes at the next start', async () => {
    const store = await openFilledStore();
    const running = await startReEvaluation({
      ...optionsOf(store.users),
      onProgress: () => undefined,
      onUnlocks: () => undefined,
      onFault: () => undefined,
    });
    await running.stop();
    expect(await store.users.evaluation()).toMatchObject({ digest: 'after', done: false });
    await evaluateAllUsers(store.users);
    await expectAllEvaluated(store);
    await expectPublishedOnce(store);
  });
});

async function evaluateUntilFailure(users: UserStore): Promise<void> {
  const evaluation = new AllUsersEvaluation(optionsOf(users));
  try {
    await evaluation.begin();
    for (let state = 'more'; state === 'more';) state = (await evaluation.step()).state;
  } catch (error) {
    expect(error).toEqual(new Error('killed'));
  }
}

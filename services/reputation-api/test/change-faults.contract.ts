import { RatedUsers } from '../src/ratings/rated-users.ts';
import { Moderation } from '../src/moderation/moderation.ts';
import { rateProfiles } from '../src/ratings/rate-profiles.ts';
import type { ReputationStore } from '../src/open-store.ts';
import type { LedgerDeps } from '../src/ratings/ledger.ts';
import { readBack } from './stored-ratings.ts';

/** Opens a store and makes its statements fail. */
export interface FaultInjection {
  /** Opens an empty store. */
  readonly open: () => Promise<ReputationStore>;
  /** Opens the same one again. */
  readonly reopen: () => Promise<ReputationStore>;
  /** Makes statements fail after the given number, until the returned function is called. */
  readonly failAfter: (statements: number) => () => void;
}

const NAMES = ['a', 'b', 'c', 'd'];

/** Contract of every store: changes are atomic when a statement fails, and interrupted work completes on a repeat. */
export function describeChangeFaults(adapter: string, cuttable: FaultInjection): void {
  describe(`change in ${adapter} that fails at any statement`, () => {
    it.each<[string, (deps: LedgerDeps) => Promise<unknown>]>([
      ['rating', (deps) => rate(deps, 'd', 'a', 1)],
      ['rating again', (deps) => rate(deps, 'b', 'a', 1)],
      ['upserting users', (deps) => new RatedUsers(deps).upsert(2, [{ username: 'B', gamertag: 'x' }])],
      ['hiding a comment', (deps) => new Moderation(deps).hide('b', 'a')],
      ['barring a rater', (deps) => new Moderation(deps).bar('b')],
      ['erasing a user', (deps) => new RatedUsers(deps).erase('b')],
    ])('leaves all counters correct and completes when it is repeated: %s', async (_name, work) => {
      const whole = await runWithoutFault(cuttable, work);
      let steps = 0;
      for (let done = false; !done; steps += 1) {
        const store = await openFilledStore(cuttable);
        const heal = cuttable.failAfter(steps);
        done = await work(depsOf(store)).then(
          () => true,
          () => false,
        );
        heal();
        await store.close();
        const restarted = await cuttable.reopen();
        await expectCountersRight(restarted);
        await work(depsOf(restarted));
        expect(await readState(restarted)).toEqual(whole);
        await restarted.close();
        expect(steps).toBeLessThan(100);
      }
      expect(steps).toBeGreaterThan(2);
    });
  });
}

/** Returns the state after the work without a fault. */
async function runWithoutFault(cuttable: FaultInjection, work: (deps: LedgerDeps) => Promise<unknown>) {
  const store = await openFilledStore(cuttable);
  await work(depsOf(store));
  const state = await readState(store);
  await store.close();
  return state;
}

async function openFilledStore({ open }: FaultInjection): Promise<ReputationStore> {
  const store = await open();
  const deps = depsOf(store);
  await new RatedUsers(deps).upsert(
    1,
    NAMES.map((username) => ({ username, gamertag: '' })),
  );
  for (const [rater, profile, stars] of [
    ['b', 'a', 2],
    ['b', 'c', 3],
    ['a', 'b', 4],
    ['c', 'a', 5],
    ['c', 'b', 1],
  ] as const) {
    await rate(deps, rater, profile, stars);
  }
  return store;
}

function depsOf(store: ReputationStore): LedgerDeps {
  return { store, clock: () => 1_800_000_000_000, origin: 'simulated', pause: async () => undefined };
}

async function rate(deps: LedgerDeps, raterKey: string, profileKey: string, stars: number) {
  const requests = [{ profileKey, raterKey, raterUsername: raterKey, stars, comment: 'Words' }];
  return rateProfiles(deps, requests);
}

/** Reads users and ratings; revisions and facts depend on the number of attempts. */
async function readState(store: ReputationStore) {
  const pairs = NAMES.flatMap((raterKey) => NAMES.map((profileKey) => ({ raterKey, profileKey })));
  const { people, ratings } = await readBack(store, { users: NAMES, ratings: pairs });
  return { people, ratings };
}

async function expectCountersRight(store: ReputationStore): Promise<void> {
  const { people, ratings } = await readState(store);
  NAMES.forEach((name, index) => {
    const { ratingCount, starSum, ratingsGiven } = people[index] ?? { ratingCount: 0, starSum: 0, ratingsGiven: 0 };
    const counted = ratings.filter((rating) => rating?.profileKey === name && rating.counts);
    expect([name, ratingCount]).toEqual([name, people[index] === undefined ? 0 : counted.length]);
    expect(starSum).toBe(counted.reduce((sum, rating) => sum + (rating?.stars ?? 0), 0));
    expect(ratingsGiven).toBe(ratings.filter((rating) => rating?.raterKey === name).length);
  });
}

import { KnownPeople } from '../src/domain/known-people.ts';
import { Moderation } from '../src/domain/moderation.ts';
import { rateProfiles, readsOf } from '../src/domain/rate-profiles.ts';
import type { ReputationStore } from '../src/domain/reputation-store.ts';
import { writeLedger, type Desk } from '../src/domain/write-ledger.ts';
import { look } from './stored-ratings.ts';

/** A store whose changes can be cut off. */
export interface Cuttable {
  /** Gives an empty store. */
  readonly open: () => Promise<ReputationStore>;
  /** Opens the same one again. */
  readonly reopen: () => Promise<ReputationStore>;
  /** Makes the statement after so many fail, until the function that it gives is called. */
  readonly cutAfter: (statements: number) => () => void;
}

const NAMES = ['a', 'b', 'c', 'd'];

/** What every store promises of work that is cut off at any step: each change is made whole, and the rest can be made up for. */
export function describeCutChanges(adapter: string, cuttable: Cuttable): void {
  describe(`what is cut off at any step in ${adapter}`, () => {
    it.each<[string, (desk: Desk) => Promise<unknown>]>([
      ['rating', (desk) => rate(desk, 'd', 'a', 1)],
      ['rating anew', (desk) => rate(desk, 'b', 'a', 1)],
      ['learning of people', (desk) => new KnownPeople(desk).learn(2, [{ username: 'B', gamertag: 'x' }])],
      ['hiding a comment', (desk) => new Moderation(desk).hide('b', 'a')],
      ['barring a rater', (desk) => new Moderation(desk).bar('b')],
      ['forgetting somebody', (desk) => new KnownPeople(desk).forget('b')],
    ])('leaves all counters right, and is finished by doing it again: %s', async (_name, work) => {
      const whole = await uncut(cuttable, work);
      let steps = 0;
      for (let done = false; !done; steps += 1) {
        const store = await filled(cuttable);
        const heal = cuttable.cutAfter(steps);
        done = await work(deskOf(store)).then(
          () => true,
          () => false,
        );
        heal();
        await store.close();
        const restarted = await cuttable.reopen();
        await expectCountersRight(restarted);
        await work(deskOf(restarted));
        expect(await stateOf(restarted)).toEqual(whole);
        await restarted.close();
        expect(steps).toBeLessThan(100);
      }
      expect(steps).toBeGreaterThan(2);
    });
  });
}

/** What is there when the work was never cut off. */
async function uncut(cuttable: Cuttable, work: (desk: Desk) => Promise<unknown>) {
  const store = await filled(cuttable);
  await work(deskOf(store));
  const state = await stateOf(store);
  await store.close();
  return state;
}

async function filled({ open }: Cuttable): Promise<ReputationStore> {
  const store = await open();
  const desk = deskOf(store);
  await new KnownPeople(desk).learn(
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
    await rate(desk, rater, profile, stars);
  }
  return store;
}

function deskOf(store: ReputationStore): Desk {
  return { store, clock: () => 1_800_000_000_000, origin: 'simulated', pause: async () => undefined };
}

async function rate(desk: Desk, raterKey: string, profileKey: string, stars: number) {
  const wishes = [{ profileKey, raterKey, raterUsername: raterKey, stars, comment: 'Words' }];
  return writeLedger(desk, readsOf(wishes), (ledger) => rateProfiles(ledger, wishes));
}

/** People and ratings: revisions and facts tell how often something was done. */
async function stateOf(store: ReputationStore) {
  const pairs = NAMES.flatMap((raterKey) => NAMES.map((profileKey) => ({ raterKey, profileKey })));
  const { people, ratings } = await look(store, { people: NAMES, ratings: pairs });
  return { people, ratings };
}

async function expectCountersRight(store: ReputationStore): Promise<void> {
  const { people, ratings } = await stateOf(store);
  NAMES.forEach((name, index) => {
    const { ratingCount, starSum, ratingsGiven } = people[index] ?? { ratingCount: 0, starSum: 0, ratingsGiven: 0 };
    const counted = ratings.filter((rating) => rating?.profileKey === name && rating.counts);
    expect([name, ratingCount]).toEqual([name, people[index] === undefined ? 0 : counted.length]);
    expect(starSum).toBe(counted.reduce((sum, rating) => sum + (rating?.stars ?? 0), 0));
    expect(ratingsGiven).toBe(ratings.filter((rating) => rating?.raterKey === name).length);
  });
}

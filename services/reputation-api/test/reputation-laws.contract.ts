import { usernameKey } from '@lobbystats/contracts';
import fc from 'fast-check';
import { exportRatings } from '../src/ratings/export-ratings.ts';
import { OwnRatings } from '../src/ratings/own-ratings.ts';
import { RatedUsers } from '../src/ratings/rated-users.ts';
import { Moderation } from '../src/moderation/moderation.ts';
import { createRatingQueue } from '../src/ratings/rate-profiles.ts';
import type { ReputationStore } from '../src/open-store.ts';
import { ReputationModel, type Move } from './reputation-model.ts';
import { readBack } from './stored-ratings.ts';

const NAMES = ['Ann', 'Bo', 'Cy', 'Di'];
const who = fc.nat(NAMES.length - 1);
const comment = fc.constantFrom(null, 'a', 'b');
const stars = fc.integer({ min: 1, max: 5 });

const rate = fc.record({ kind: fc.constant('rate' as const), rater: who, profile: who, stars, comment });
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 12, arbitrary: rate },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constantFrom('hide' as const, 'show' as const, 'remove' as const, 'report' as const, 'dismiss' as const),
      rater: who,
      profile: who,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bar' as const), rater: who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), rater: who }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('know' as const), rater: who, gamertag: fc.constantFrom('', 'x', 'y') }),
  },
);

/** Invariants of ratings after arbitrary operations, for every store. `open` returns an empty store each time. */
export function describeReputationLaws(adapter: string, open: () => Promise<ReputationStore>, numRuns: number): void {
  describe(`ratings in ${adapter} after arbitrary operations`, () => {
    it('equal those of an in-memory model, and all counters equal their sums', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 40 }), async (moves) => {
          const store = await open();
          try {
            const model = new ReputationModel(NAMES);
            const players = executorOn(store);
            for (const name of NAMES) await players({ kind: 'know', rater: NAMES.indexOf(name), gamertag: '' });
            for (const index of NAMES.keys()) model.make({ kind: 'know', rater: index, gamertag: '' });
            for (const one of moves) expect([one, await players(one)]).toEqual([one, model.make(one)]);
            for (const name of NAMES) {
              await expectMatchesModel(store, model, name);
              await expectExportMatchesModel(store, model, name);
            }
          } finally {
            await store.close();
          }
        }),
        { numRuns },
      );
    });
  });
}

/** Returns a function that executes an operation and returns its outcome. */
function executorOn(store: ReputationStore): (move: Move) => Promise<string> {
  let nowMs = 1_800_000_000_000;
  const deps = { store, clock: () => (nowMs += 500), origin: 'simulated', pause: async () => undefined };
  const ratedUsers = new RatedUsers(deps);
  const moderation = new Moderation(deps);
  const ratings = createRatingQueue({
    ...deps,
    timeoutMs: 60_000,
    onRated: () => undefined,
  });
  const own = new OwnRatings({ ...deps, timeoutMs: 60_000, onChanged: () => undefined });
  let revision = 0;
  return async (operation) => {
    const rater = NAMES[operation.rater] ?? '';
    const profile = 'profile' in operation ? (NAMES[operation.profile] ?? '') : '';
    switch (operation.kind) {
      case 'know':
        await ratedUsers.upsert((revision += 1), [{ username: rater, gamertag: operation.gamertag }]);
        return 'done';
      case 'forget':
        await ratedUsers.erase(rater);
        return 'done';
      case 'bar':
        return moderation.bar(rater);
      case 'hide':
        return moderation.hide(rater, profile);
      case 'show':
        return moderation.show(rater, profile);
      case 'dismiss':
        return moderation.dismiss(rater, profile);
      case 'report':
        return (await own.report(profile, { rater, reason: null })) ? 'done' : 'unknown';
      case 'remove': {
        const outcome = await own.remove(rater, profile);
        return typeof outcome === 'string' ? outcome : 'done';
      }
      case 'rate': {
        const { stars, comment } = operation;
        const keys = { profileKey: usernameKey(profile), raterKey: usernameKey(rater) };
        const outcome = await ratings.add({ ...keys, raterUsername: rater, stars, comment });
        return 'refused' in outcome ? outcome.refused : 'done';
      }
    }
  };
}

async function expectMatchesModel(store: ReputationStore, model: ReputationModel, name: string): Promise<void> {
  const key = usernameKey(name);
  const reading = await store.readProfile({ profileKey: key, feedbackLimit: 30, viewerKey: undefined });
  const [user] = (await readBack(store, { users: [key] })).people;
  const counters = model.counters(name);
  expect(user ?? { ratingCount: 0, starSum: 0, ratingsGiven: 0 }).toMatchObject(counters);
  expect((user?.revision ?? null) !== null).toBe(model.isKnown(name));
  const storedFeedback = (reading?.feedback ?? []).map((one) => [
    one.raterUsername,
    {
      stars: one.stars,
      comment: one.comment,
      isHidden: one.isHidden,
      isReported: one.reportedAt !== null,
      isRemoved: false,
    },
  ]);
  expect(Object.fromEntries(storedFeedback)).toEqual(Object.fromEntries(model.received(name)));
  const given = await store.ratingsGiven(key, { offset: 0, limit: 30 });
  expect(given).toHaveLength(counters.ratingsGiven);
  const times = (reading?.feedback ?? []).map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
}

async function expectExportMatchesModel(store: ReputationStore, model: ReputationModel, name: string): Promise<void> {
  const { given, received } = await exportRatings(name, { store, pause: async () => undefined });
  const expected = [...model.stored(name)].map(([rater, { stars, comment, isHidden, isReported, isRemoved }]) => [
    rater,
    isRemoved ? null : stars,
    comment,
    { isHidden, isReported, counts: !isRemoved && !model.isBarred(rater) },
  ]);
  const exported = received.map(({ raterUsername, stars, comment, isHidden, counts, report }) => [
    raterUsername,
    stars,
    comment,
    { isHidden, isReported: report !== null, counts },
  ]);
  expect(exported).toEqual(expected.sort());
  const rated = model.names.filter((profile) => {
    const rating = model.stored(profile).get(name);
    return rating !== undefined && (!rating.isRemoved || rating.isHidden);
  });
  expect(given.map(({ username }) => username)).toEqual(rated.toSorted());
  const reports = (await store.reportedRatings(30)).filter(({ profileUsername }) => profileUsername === name);
  expect(reports.map(({ raterUsername, comment }) => `${raterUsername}: ${comment}`).sort()).toEqual(
    model.reports(name),
  );
}

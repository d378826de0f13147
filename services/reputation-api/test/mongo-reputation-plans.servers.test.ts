import { mongoOperations, type MongoOperations } from '@lobbystats/test-kit/mongo-operations';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoReputationStore, type ReputationStore } from '../src/open-store.ts';
import { prepareRatingsDatabase } from './prepare-ratings-database.ts';
import { readBack, ratedUser, put, rating } from './stored-ratings.ts';

/** All read operations of a store by name. */
const queries: Readonly<Record<string, (store: ReputationStore) => Promise<unknown>>> = {
  readProfile: (store) => store.readProfile({ profileKey: 'p7', feedbackLimit: 12, viewerKey: 'p9' }),
  'readProfile far down': (store) =>
    store.readProfile({ profileKey: 'p7', feedbackLimit: 3, feedbackOffset: 9, viewerKey: undefined }),
  ratingsGiven: (store) => store.ratingsGiven('p7', { offset: 5, limit: 10 }),
  readUser: (store) => store.readUser('p7'),
  reportedRatings: (store) => store.reportedRatings(10),
  ratingsBy: (store) => store.ratingsBy('p7', { after: 'p100', limit: 20 }),
  namedRatingsBy: (store) => store.namedRatingsBy('p7', { after: 'p100', limit: 10 }),
  ratingsOf: (store) => store.ratingsOf('p7', { after: 'p100', limit: 20 }),
  change: (store) =>
    readBack(store, { users: ['p1', 'p2'], ratings: [rating('p1', 'p2'), rating('p2', 'p7')], maybeErased: ['m1'] }),
  pending: (store) => store.outbox.pending(32),
};

/** Stores 600 users; all have rated p7 and p8, and p7 has rated all. */
async function fillRatings(store: ReputationStore): Promise<void> {
  const keys = Array.from({ length: 600 }, (_, index) => `p${index}`);
  await put(store, { users: keys.map((key) => ratedUser(key)), erased: keys.map((key) => `m${key}`) });
  const ratings = keys.flatMap((key, index) => [
    rating(key, 'p7', { createdAt: index % 9, counts: index % 3 > 0 }),
    rating('p7', key, { createdAt: index + 1, ...(index % 100 === 0 && { reportedAt: index + 1, comment: 'Rude' }) }),
    rating(key, 'p8'),
  ]);
  await put(store, { ratings });
}

const DATABASE = 'test_rating_plans';

let database: TestDatabase;
let store: ReputationStore;
let operations: MongoOperations;
beforeAll(async () => {
  database = await prepareRatingsDatabase(DATABASE);
  await database.clear();
  operations = mongoOperations(DATABASE);
  store = await openMongoReputationStore(database.url, 'simulated');
  await fillRatings(store);
});
afterAll(async () => {
  await operations.close();
  await store.close();
  await database.clear();
});

describe('query plans of ratings in MongoDB', () => {
  it.each(Object.entries(queries))('uses an index without sorting: %s', async (_name, ask) => {
    const planned = (await operations.during(() => ask(store))).filter(({ planSummary }) => planSummary !== undefined);
    expect(planned.length).toBeGreaterThan(0);
    for (const { planSummary, hasSortStage = false, docsExamined = 0 } of planned) {
      expect(planSummary).toMatch(/^(IXSCAN|IDHACK)/);
      expect(hasSortStage).toBe(false);
      expect(docsExamined).toBeLessThanOrEqual(20);
    }
  });
});

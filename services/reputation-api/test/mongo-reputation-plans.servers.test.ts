import { mongoOperations, type MongoOperations } from '@lobbystats/test-kit/mongo-operations';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoReputationStore } from '../src/database/reputation-store.mongo.ts';
import type { ReputationStore } from '../src/database/reputation-store.ts';
import { prepareRatingsDatabase } from './prepare-ratings-database.ts';
import { fillRatings, queries } from './reputation-queries.ts';

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

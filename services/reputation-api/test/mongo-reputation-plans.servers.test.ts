import { mongoOperations, type MongoOperations } from '../../../test/stack/mongo-operations.ts';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { openMongoReputationStore } from '../src/adapters/mongo/mongo-reputation-store.ts';
import type { ReputationStore } from '../src/domain/reputation-store.ts';
import { mongoRatings } from './mongo-ratings.ts';
import { fillRatings, questions } from './reputation-questions.ts';

const DATABASE = 'test_rating_plans';

let database: PreparedMongo;
let store: ReputationStore;
let operations: MongoOperations;
beforeAll(async () => {
  database = await mongoRatings(DATABASE);
  await database.empty();
  operations = mongoOperations(DATABASE);
  store = await openMongoReputationStore(database.url, 'simulated');
  await fillRatings(store);
});
afterAll(async () => {
  await operations.close();
  await store.close();
  await database.empty();
});

describe('what is asked of ratings in MongoDB', () => {
  it.each(Object.entries(questions))('is found by an index, in its order: %s', async (_name, ask) => {
    const planned = (await operations.of(() => ask(store))).filter(({ planSummary }) => planSummary !== undefined);
    expect(planned.length).toBeGreaterThan(0);
    for (const { planSummary, hasSortStage = false, docsExamined = 0 } of planned) {
      expect(planSummary).toMatch(/^(IXSCAN|IDHACK)/);
      expect(hasSortStage).toBe(false);
      expect(docsExamined).toBeLessThanOrEqual(20);
    }
  });
});

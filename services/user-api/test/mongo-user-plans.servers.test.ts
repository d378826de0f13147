import { mongoOperations, type MongoOperations } from '@lobbystats/test-kit/mongo-operations';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoUserDatabase } from '../src/user-database.mongo.ts';
import type { UserDatabase } from '../src/user-database.ts';
import { prepareUserDatabase } from './prepare-user-database.ts';
import { fillDatabase, readOperations, writeOperations, fullReads } from './store-operations.ts';

const DATABASE = 'test_people_plans';

let database: TestDatabase;
let userDatabase: UserDatabase;
let operations: MongoOperations;
beforeAll(async () => {
  database = await prepareUserDatabase(DATABASE);
  await database.clear();
  operations = mongoOperations(DATABASE);
  userDatabase = await openMongoUserDatabase(database.url, 'simulated');
  await fillDatabase(userDatabase);
});
afterAll(async () => {
  await operations.close();
  await userDatabase.close();
  await database.clear();
});

/** Rows that an operation may examine: scores, and the users, days or unlocks that it needs. */
const FEW = 150;

describe('query plans of users in MongoDB', () => {
  it.each(Object.entries({ ...readOperations, ...writeOperations }))(
    'uses an index without sorting and examines few keys: %s',
    async (_name, use) => {
      const profileEntries = await operations.during(() => use(userDatabase));
      const planned = profileEntries.filter(({ planSummary }) => planSummary !== undefined);
      expect(profileEntries.length).toBeGreaterThan(0);
      for (const { planSummary, hasSortStage = false } of planned) {
        expect(planSummary).toMatch(/^(IXSCAN|IDHACK|COUNT_SCAN)/);
        expect(hasSortStage).toBe(false);
      }
      const examined = profileEntries.reduce((sum, { keysExamined = 0 }) => sum + Number(keysExamined), 0);
      expect(examined).toBeLessThan(FEW);
    },
  );

  it.each(Object.entries(fullReads))('reads a small collection completely: %s', async (_name, read) => {
    const profileEntries = await operations.during(() => read(userDatabase));
    const examined = profileEntries.reduce((sum, { docsExamined = 0 }) => sum + Number(docsExamined), 0);
    expect(examined).toBeLessThan(20);
  });
});

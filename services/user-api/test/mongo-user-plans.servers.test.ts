import { mongoOperations, type MongoOperations } from '../../../test/stack/mongo-operations.ts';
import type { TestDatabase } from '../../../test/stack/test-database.ts';
import { openMongoUserDatabase } from '../src/adapters/mongo/mongo-user-database.ts';
import type { UserDatabase } from '../src/domain/user-database.ts';
import { prepareUserDatabase } from './prepare-user-database.ts';
import { fillDatabase, readOperations, writeOperations, fullReads } from './store-operations.ts';

const DATABASE = 'test_people_plans';

let database: TestDatabase;
let people: UserDatabase;
let operations: MongoOperations;
beforeAll(async () => {
  database = await prepareUserDatabase(DATABASE);
  await database.clear();
  operations = mongoOperations(DATABASE);
  people = await openMongoUserDatabase(database.url, 'simulated');
  await fillDatabase(people);
});
afterAll(async () => {
  await operations.close();
  await people.close();
  await database.clear();
});

/** Rows that an operation may examine: scores, and the users, days or unlocks that it needs. */
const FEW = 150;

describe('query plans of users in MongoDB', () => {
  it.each(Object.entries({ ...readOperations, ...writeOperations }))(
    'uses an index without sorting and examines few keys: %s',
    async (_name, use) => {
      const made = await operations.during(() => use(people));
      const planned = made.filter(({ planSummary }) => planSummary !== undefined);
      expect(made.length).toBeGreaterThan(0);
      for (const { planSummary, hasSortStage = false } of planned) {
        expect(planSummary).toMatch(/^(IXSCAN|IDHACK|COUNT_SCAN)/);
        expect(hasSortStage).toBe(false);
      }
      const examined = made.reduce((sum, { keysExamined = 0 }) => sum + Number(keysExamined), 0);
      expect(examined).toBeLessThan(FEW);
    },
  );

  it.each(Object.entries(fullReads))('reads a small collection completely: %s', async (_name, read) => {
    const made = await operations.during(() => read(people));
    const examined = made.reduce((sum, { docsExamined = 0 }) => sum + Number(docsExamined), 0);
    expect(examined).toBeLessThan(20);
  });
});

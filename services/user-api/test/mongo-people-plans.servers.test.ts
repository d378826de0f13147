import { mongoOperations, type MongoOperations } from '../../../test/stack/mongo-operations.ts';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { openMongoPeopleStore } from '../src/adapters/mongo/mongo-people-store.ts';
import type { PeopleStore } from '../src/domain/people-store.ts';
import { mongoPeople } from './stored-mongo.ts';
import { fillPeople, peopleReads, peopleWrites, wholeReads } from './stored-people-use.ts';

const DATABASE = 'test_people_plans';

let database: PreparedMongo;
let people: PeopleStore;
let operations: MongoOperations;
beforeAll(async () => {
  database = await mongoPeople(DATABASE);
  await database.empty();
  operations = mongoOperations(DATABASE);
  people = await openMongoPeopleStore(database.url, 'simulated');
  await fillPeople(people);
});
afterAll(async () => {
  await operations.close();
  await people.close();
  await database.empty();
});

/** Rows that a use may look at: those of the scores, and of the people, days or unlocks that it is about. */
const FEW = 150;

describe('a use of people in MongoDB', () => {
  it.each(Object.entries({ ...peopleReads, ...peopleWrites }))(
    'walks through an index, in its order, and no more of it than it takes: %s',
    async (_name, use) => {
      const made = await operations.of(() => use(people));
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

  it.each(Object.entries(wholeReads))('reads whole what is small: %s', async (_name, read) => {
    const made = await operations.of(() => read(people));
    const examined = made.reduce((sum, { docsExamined = 0 }) => sum + Number(docsExamined), 0);
    expect(examined).toBeLessThan(20);
  });
});

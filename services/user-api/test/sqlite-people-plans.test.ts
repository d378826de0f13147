import { sqlitePlans, type SqlitePlans } from '../../../test/stack/sqlite-plans.ts';
import { openSqlitePeopleStore } from '../src/adapters/sqlite/sqlite-people-store.ts';
import type { PeopleStore } from '../src/domain/people-store.ts';
import { fillPeople, peopleReads, peopleWrites } from './stored-people-use.ts';

let people: PeopleStore;
let plans: SqlitePlans;
beforeEach(async () => {
  plans = sqlitePlans();
  people = openSqlitePeopleStore('sqlite::memory:', 'simulated');
  await fillPeople(people);
});
afterEach(async () => {
  await people.close();
  plans.stop();
});

/** What a part of the statement has made, scores (one row each), and the newest unlocks, in order until there are enough. */
const WALKED = /^SCAN (known|CONSTANT ROW|score_count|unlock USING COVERING INDEX unlock_by_time)$/;

describe('a use of people in SQLite', () => {
  it.each(Object.entries({ ...peopleReads, ...peopleWrites }))(
    'finds by an index what it touches: %s',
    async (_name, use) => {
      const steps = await plans.of(() => use(people));
      expect(steps.length).toBeGreaterThan(0);
      expect(steps.filter((step) => step.startsWith('SCAN') && !WALKED.test(step))).toEqual([]);
    },
  );

  it.each(Object.entries(peopleReads).filter(([name]) => !name.startsWith('unlocksOf')))(
    'comes in order without sorting: %s',
    async (_name, read) => {
      for (const step of await plans.of(() => read(people))) expect(step).not.toMatch(/TEMP B-TREE/);
    },
  );
});

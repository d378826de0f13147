import { sqlitePlans, type SqlitePlans } from '@lobbystats/test-kit/sqlite-plans';
import { openSqliteUserDatabase } from '../src/database/user-database.sqlite.ts';
import type { UserDatabase } from '../src/database/user-database.ts';
import { fillDatabase, readOperations, writeOperations } from './store-operations.ts';

let database: UserDatabase;
let plans: SqlitePlans;
beforeEach(async () => {
  plans = sqlitePlans();
  database = openSqliteUserDatabase('sqlite::memory:', 'simulated');
  await fillDatabase(database);
});
afterEach(async () => {
  await database.close();
  plans.stop();
});

/** Allowed scans: intermediate results, the few scores, and the newest unlocks in index order up to the limit. */
const WALKED = /^SCAN (known|CONSTANT ROW|score_count|unlock USING COVERING INDEX unlock_by_time)$/;

describe('query plans of users in SQLite', () => {
  it.each(Object.entries({ ...readOperations, ...writeOperations }))(
    'finds its rows by an index: %s',
    async (_name, use) => {
      const steps = await plans.during(() => use(database));
      expect(steps.length).toBeGreaterThan(0);
      expect(steps.filter((step) => step.startsWith('SCAN') && !WALKED.test(step))).toEqual([]);
    },
  );

  it.each(Object.entries(readOperations).filter(([name]) => !name.startsWith('unlocksOf')))(
    'returns rows in index order without sorting: %s',
    async (_name, read) => {
      for (const step of await plans.during(() => read(database))) expect(step).not.toMatch(/TEMP B-TREE/);
    },
  );
});

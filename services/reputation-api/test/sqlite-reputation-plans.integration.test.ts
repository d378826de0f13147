import { sqlitePlans, type SqlitePlans } from '@lobbystats/test-kit/sqlite-plans';
import { openSqliteReputationStore } from '../src/database/reputation-store.sqlite.ts';
import type { ReputationStore } from '../src/database/reputation-store.ts';
import { fillRatings, queries } from './reputation-queries.ts';
import { put, rating } from './stored-ratings.ts';

let store: ReputationStore;
let plans: SqlitePlans;
beforeEach(async () => {
  plans = sqlitePlans();
  store = openSqliteReputationStore('sqlite::memory:', 'simulated');
  await fillRatings(store);
});
afterEach(async () => {
  await store.close();
  plans.stop();
});

describe('query plans of ratings in SQLite', () => {
  it.each(Object.entries(queries))('uses an index without sorting: %s', async (_name, ask) => {
    const steps = await plans.during(() => ask(store));
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      expect(step).not.toMatch(/TEMP B-TREE/);
      // One row, and the outbox from its beginning.
      expect(step).not.toMatch(/^SCAN (?!reputation\b|outbox\b)/);
    }
  });

  it('finds rows by key when it writes', async () => {
    const write = () => put(store, { removedUsers: ['p1'], removedRatings: [rating('p1', 'p2')] });
    for (const step of await plans.during(write)) expect(step).not.toMatch(/^SCAN (?!reputation\b)/);
  });
});

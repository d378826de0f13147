import { sqlitePlans, type SqlitePlans } from '../../../test/stack/sqlite-plans.ts';
import { openSqliteReputationStore } from '../src/adapters/sqlite/sqlite-reputation-store.ts';
import type { ReputationStore } from '../src/domain/reputation-store.ts';
import { fillRatings, questions } from './reputation-questions.ts';
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

describe('what is asked of ratings in SQLite', () => {
  it.each(Object.entries(questions))('is found by an index, in its order: %s', async (_name, ask) => {
    const steps = await plans.of(() => ask(store));
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      expect(step).not.toMatch(/TEMP B-TREE/);
      // One row, and the outbox from its beginning.
      expect(step).not.toMatch(/^SCAN (?!reputation\b|outbox\b)/);
    }
  });

  it('is written by keys', async () => {
    const write = () => put(store, { removedPeople: ['p1'], removedRatings: [rating('p1', 'p2')] });
    for (const step of await plans.of(write)) expect(step).not.toMatch(/^SCAN (?!reputation\b)/);
  });
});

import { sqlitePlans, type SqlitePlans } from '../../../test/stack/sqlite-plans.ts';
import { openSqliteCatalogStore } from '../src/adapters/sqlite/sqlite-catalog-store.ts';
import type { BoardStore } from '../src/domain/board-store.ts';
import type { CatalogStore } from '../src/domain/catalog-store.ts';
import { boardReads } from './board-reads.ts';
import { put, times } from './stored-boards.ts';

let catalog: CatalogStore;
let plans: SqlitePlans;
beforeEach(async () => {
  plans = sqlitePlans();
  catalog = openSqliteCatalogStore('sqlite::memory:', 'simulated');
  // More than are wanted, so that every way is gone.
  await put(catalog.boards, {
    entries: times(...Array.from({ length: 30 }, (_, i) => ['A', 5000 + (i % 9)] as const)),
  });
});
afterEach(async () => {
  await catalog.close();
  plans.stop();
});

describe('a read of boards', () => {
  it.each(Object.entries(boardReads))('finds by an index what it reads: %s', async (_name, read) => {
    const steps = await stepsOf(read);
    expect(steps.length).toBeGreaterThan(0);
    // What a part of the statement has found is walked through; no table or index is from one end to the other.
    for (const step of steps) expect(step).not.toMatch(/^SCAN (?!found\b|\(subquery)/);
  });

  it.each(Object.entries(boardReads).filter(([name]) => name.startsWith('changes') || name === 'versionAt'))(
    'comes in order without sorting: %s',
    async (_name, read) => {
      for (const step of await stepsOf(read)) expect(step).not.toMatch(/TEMP B-TREE/);
    },
  );

  it.each(['nearTime', 'nearTime in a title'])(
    'sorts the distances of as many as are wanted, and what is equal: %s',
    async (name) => {
      const sorted = (await stepsOf(boardReads[name] ?? fail)).filter((step) => step.includes('TEMP B-TREE'));
      expect(sorted).toEqual([
        // The distances on either side, of as many as are wanted.
        'USE TEMP B-TREE FOR ORDER BY',
        'USE TEMP B-TREE FOR ORDER BY',
        ...sorted.slice(2).map(() => 'USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY'),
      ]);
    },
  );
});

function stepsOf(read: (store: BoardStore) => Promise<unknown>): Promise<string[]> {
  return plans.of(() => read(catalog.boards));
}

function fail(): never {
  throw new Error('There is no such read');
}

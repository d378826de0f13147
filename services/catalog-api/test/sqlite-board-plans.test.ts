import { SqliteStore } from '@lobbystats/sqlite-store';
import { openSqliteCatalogStore } from '../src/adapters/sqlite/sqlite-catalog-store.ts';
import type { BoardStore } from '../src/domain/board-store.ts';
import type { CatalogStore } from '../src/domain/catalog-store.ts';
import { boardReads } from './board-reads.ts';
import { put, times } from './stored-boards.ts';

let catalog: CatalogStore;
let prepare: jest.SpiedFunction<SqliteStore['prepare']>;
beforeEach(async () => {
  prepare = jest.spyOn(SqliteStore.prototype, 'prepare');
  catalog = openSqliteCatalogStore('sqlite::memory:', 'simulated');
  // More than are wanted, so that every way is gone.
  await put(catalog.boards, {
    entries: times(...Array.from({ length: 30 }, (_, i) => ['A', 5000 + (i % 9)] as const)),
  });
});
afterEach(async () => {
  await catalog.close();
  prepare.mockRestore();
});

describe('a read of boards', () => {
  it.each(Object.entries(boardReads))('finds by an index what it reads: %s', async (_name, read) => {
    const plans = await plansOf(read);
    expect(plans.length).toBeGreaterThan(0);
    // What a part of the statement has found is walked through; no table or index is from one end to the other.
    for (const step of plans.flat()) expect(step).not.toMatch(/^SCAN (?!found\b|\(subquery)/);
  });

  it.each(Object.entries(boardReads).filter(([name]) => name.startsWith('changes') || name === 'versionAt'))(
    'comes in order without sorting: %s',
    async (_name, read) => {
      for (const step of (await plansOf(read)).flat()) expect(step).not.toMatch(/TEMP B-TREE/);
    },
  );

  it.each(['nearTime', 'nearTime in a title'])(
    'sorts the distances of as many as are wanted, and what is equal: %s',
    async (name) => {
      const sorted = (await plansOf(boardReads[name] ?? fail)).flat().filter((step) => step.includes('TEMP B-TREE'));
      expect(sorted).toEqual([
        // The distances on either side, of as many as are wanted.
        'USE TEMP B-TREE FOR ORDER BY',
        'USE TEMP B-TREE FOR ORDER BY',
        ...sorted.slice(2).map(() => 'USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY'),
      ]);
    },
  );
});

/** The plans of the statements that a read makes. */
async function plansOf(read: (store: BoardStore) => Promise<unknown>): Promise<string[][]> {
  prepare.mockClear();
  await read(catalog.boards);
  const sqlite = prepare.mock.contexts[0] as SqliteStore | undefined;
  if (sqlite === undefined) return [];
  return prepare.mock.calls.map(([sql]) =>
    sqlite.db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail)),
  );
}

function fail(): never {
  throw new Error('There is no such read');
}

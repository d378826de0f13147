import { sqlitePlans, type SqlitePlans } from '../../../test/stack/sqlite-plans.ts';
import { openSqliteCatalogStore } from '../src/adapters/sqlite/sqlite-catalog-store.ts';
import type { BoardStore } from '../src/domain/board-store.ts';
import type { CatalogStore } from '../src/domain/catalog-store.ts';
import { boardReads } from './board-reads.ts';
import { change, commitNext, put, times } from './stored-boards.ts';

let catalog: CatalogStore;
let plans: SqlitePlans;
beforeEach(async () => {
  plans = sqlitePlans();
  catalog = openSqliteCatalogStore('sqlite::memory:', 'simulated');
  // More than are wanted, so that every way is gone.
  await put(catalog.boards, {
    entries: times(...Array.from({ length: 30 }, (_, i) => ['A', 5000 + (i % 9)] as const)),
  });
  await commitNext(catalog.boards, { changes: Array.from({ length: 20 }, (_, i) => change(i + 1)) });
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

  // To be on some index says little: another one may lead through all that a title has.
  it.each([
    ['placeOf', 'entry_by_player (player_key=? AND title_id=? AND leaderboard_id=?)'],
    ['atRanks', 'entry_by_player (player_key=?)'],
    ['atRanks in a title', 'entry_by_player (player_key=? AND title_id=?)'],
    ['ofPlayers', 'entry_by_player (player_key=? AND (title_id,leaderboard_id)>(?,?)'],
    ['timesOfPlayers in a title', 'entry_by_player (player_key=? AND (title_id,leaderboard_id)>(?,?)'],
    ['nearTime', 'entry_by_time (time_ms>? AND time_ms<?)'],
    ['nearTime in a title', 'entry_by_title_and_time (title_id=? AND time_ms>? AND time_ms<?)'],
    ['changes since', 'INTEGER PRIMARY KEY (rowid>? AND rowid<?)'],
    ['changes of a title', 'change_by_title (title_id=? AND rowid>? AND rowid<?)'],
    ['changes of a title since, behind a cursor', 'change_by_title (title_id=? AND rowid>? AND rowid<?)'],
    ['changes of a type', 'change_by_type (type=? AND rowid>? AND rowid<?)'],
    ['changes of a type since, after an id', 'change_by_type (type=? AND rowid>? AND rowid<?)'],
    ['changes of a title and type', 'change_by_title_and_type (title_id=? AND type=? AND rowid>? AND rowid<?)'],
    ['changes of a title and type since', 'change_by_title_and_type (title_id=? AND type=? AND rowid>? AND rowid<?)'],
    ['countChanges since', 'INTEGER PRIMARY KEY (rowid>?)'],
    ['countChanges of a title since', 'change_by_title (title_id=? AND rowid>?)'],
    ['countChanges of a type since', 'change_by_type (type=? AND rowid>?)'],
    ['countChanges of a title and type after an id', 'change_by_title_and_type (title_id=? AND type=? AND rowid>?)'],
  ])('walks through nothing but what is asked for: %s', async (name, index) => {
    const steps = (await stepsOf(boardReads[name] ?? fail)).filter(
      (step) => /^SEARCH (entry|change) /.test(step) && !step.includes('change_by_time'),
    );
    expect(steps[0]).toContain(index);
  });

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

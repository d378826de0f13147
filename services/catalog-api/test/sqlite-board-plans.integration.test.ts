import { sqlitePlans, type SqlitePlans } from '@lobbystats/test-kit/sqlite-plans';
import { openSqliteCatalogStore, type CatalogStore } from '../src/open-store.ts';
import { boardReads } from './board-reads.ts';
import { change, commitNext, put, times, type BoardStore } from './stored-boards.ts';

let catalog: CatalogStore;
let plans: SqlitePlans;
beforeEach(async () => {
  plans = sqlitePlans();
  catalog = openSqliteCatalogStore('sqlite::memory:', 'simulated');
  // More rows than the limit, so that every branch runs.
  await put(catalog.boards, {
    entries: times(...Array.from({ length: 30 }, (_, i) => ['A', 5000 + (i % 9)] as const)),
  });
  await commitNext(catalog.boards, { changes: Array.from({ length: 20 }, (_, i) => change(i + 1)) });
});
afterEach(async () => {
  await catalog.close();
  plans.stop();
});

describe('query plans of board reads in SQLite', () => {
  it.each(Object.entries(boardReads))('uses an index: %s', async (_name, read) => {
    const steps = await stepsOf(read);
    expect(steps.length).toBeGreaterThan(0);
    // Only results of subqueries and lists of values may be scanned, never a whole table or index.
    for (const step of steps) expect(step).not.toMatch(/^SCAN (?!found\b|level\b|json_each\b|\(subquery)/);
  });

  it.each(Object.entries(boardReads).filter(([name]) => name.startsWith('changes') || name.startsWith('version')))(
    'returns rows in index order without sorting: %s',
    async (_name, read) => {
      for (const step of await stepsOf(read)) expect(step).not.toMatch(/TEMP B-TREE/);
    },
  );

  // The name of the index matters: a wrong one walks through all rows of a title.
  it.each([
    ['positionOf', 'entry_by_player (player_key=? AND title_id=? AND leaderboard_id=?)'],
    ['atRanks', 'entry_by_player (player_key=?)'],
    ['atRanks in a title', 'entry_by_player (player_key=? AND title_id=?)'],
    ['ofPlayers', 'entry_by_player (player_key=? AND (title_id,leaderboard_id)>(?,?)'],
    ['timesOfPlayers in a title', 'entry_by_player (player_key=? AND (title_id,leaderboard_id)>(?,?)'],
    ['nearTime', 'entry_by_time (time_ms>? AND time_ms<?)'],
    ['nearTime in a title', 'entry_by_title_and_time (title_id=? AND time_ms>? AND time_ms<?)'],
    ['countNearTime', 'entry_by_title_and_time (title_id=? AND time_ms>? AND time_ms<?)'],
    ['changes since', 'INTEGER PRIMARY KEY (rowid>? AND rowid<?)'],
    ['changes of a title', 'change_by_title (title_id=? AND rowid>? AND rowid<?)'],
    ['changes of a title since, behind a cursor', 'change_by_title (title_id=? AND rowid>? AND rowid<?)'],
    ['changes of leaderboards of a title since', 'change_by_title (title_id=? AND rowid>? AND rowid<?)'],
    ['changes of a type', 'change_by_type (type=? AND rowid>? AND rowid<?)'],
    ['changes of a type since, after an id', 'change_by_type (type=? AND rowid>? AND rowid<?)'],
    ['changes of a title and type', 'change_by_title_and_type (title_id=? AND type=? AND rowid>? AND rowid<?)'],
    ['changes of a title and type since', 'change_by_title_and_type (title_id=? AND type=? AND rowid>? AND rowid<?)'],
    ['changes that are records', 'change_record (new_rank=? AND rowid>? AND rowid<?)'],
    ['changes of a title and type that are records', 'change_record_by_title (title_id=? AND rowid>? AND rowid<?)'],
    ['countChanges of records', 'change_record (new_rank=? AND rowid>?)'],
    ['changes of a player', 'change_by_player (player_key=? AND rowid>? AND rowid<?)'],
    ['changes of a player, title and type since', 'change_by_player (player_key=? AND rowid>? AND rowid<?)'],
    [
      'players and their changes on a board',
      'change_by_player_and_board (player_key=? AND title_id=? AND leaderboard_id=?)',
    ],
    ['countChanges of a player', 'change_by_player (player_key=? AND rowid>?)'],
    ['countChanges since', 'INTEGER PRIMARY KEY (rowid>?)'],
    ['countChanges of a title since', 'change_by_title (title_id=? AND rowid>?)'],
    ['countChanges of a type since', 'change_by_type (type=? AND rowid>?)'],
    ['countChanges of a title and type after an id', 'change_by_title_and_type (title_id=? AND type=? AND rowid>?)'],
  ])('uses the most selective index: %s', async (name, index) => {
    const steps = (await stepsOf(boardReads[name] ?? fail)).filter(
      (step) => /^SEARCH (entry|change) /.test(step) && !step.includes('change_by_time'),
    );
    expect(steps[0]).toContain(index);
  });

  it.each(['nearTime', 'nearTime in a title'])('sorts only distances up to the limit, and ties: %s', async (name) => {
    const sorted = (await stepsOf(boardReads[name] ?? fail)).filter((step) => step.includes('TEMP B-TREE'));
    expect(sorted).toEqual([
      // The distances on either side, up to the limit.
      'USE TEMP B-TREE FOR ORDER BY',
      'USE TEMP B-TREE FOR ORDER BY',
      ...sorted.slice(2).map(() => 'USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY'),
    ]);
  });
});

function stepsOf(read: (store: BoardStore) => Promise<unknown>): Promise<string[]> {
  return plans.during(() => read(catalog.boards));
}

function fail(): never {
  throw new Error('There is no such read');
}

import fc from 'fast-check';
import { nameKey } from '@lobbystats/contracts';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoCatalogStore } from '../src/open-store.ts';
import type { Entry } from '../src/boards/board.ts';
import { describeBoardStore } from './board-store.contract.ts';
import { describeChangeLog } from './change-log.contract.ts';
import { describeEntrySearch } from './entry-search.contract.ts';
import { prepareCatalogDatabase } from './prepare-catalog-database.ts';
import { describeNameSearch } from './name-search.contract.ts';
import { describePlayerStore } from './player-store.contract.ts';
import { describeOutbox } from './outbox.contract.ts';
import { put } from './stored-boards.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await prepareCatalogDatabase('test_boards');
});
afterAll(() => database.clear());

const openEmpty = async () => {
  await database.clear();
  return openMongoCatalogStore(database.url, 'simulated');
};

describeBoardStore('MongoDB', openEmpty);
describeChangeLog('MongoDB', openEmpty);
describeEntrySearch('MongoDB', openEmpty);
describeNameSearch('MongoDB', openEmpty);
describePlayerStore('MongoDB', openEmpty);
describeOutbox('MongoDB', openEmpty);

describe('MongoDB', () => {
  // Entries are stored twice: packed per board, and as rows for searches.
  it('search finds exactly the current entries of a board after any earlier content', async () => {
    const catalog = await openEmpty();
    await fc.assert(
      fc.asyncProperty(contents, async (entries) => {
        await put(catalog.boards, { entries });
        const found = await catalog.boards.ofPlayers({ keys: NAMES.map(nameKey) });
        const rows = found.map(({ rank, playerName: name, rating, timeMs }) => ({ rank, name, rating, timeMs }));
        expect(rows).toEqual(entries);
        expect(await catalog.boards.entries({ titleId: '4d530064', leaderboardId: 1 })).toEqual(entries);
      }),
      { numRuns: 60 },
    );
    await catalog.close();
  });
});

const NAMES = ['A', 'a', '0', '0 A', '1 A', '!', '$set', 'NUL \0', '\uFFFD', '🏁'];

/** Boards with few names, most of them several times. */
const contents = fc
  .array(
    fc.record({
      name: fc.constantFrom(...NAMES),
      rating: fc.constantFrom('', '$rank', '0:01.000'),
      timeMs: fc.nat({ max: 3 }),
    }),
    { maxLength: 12 },
  )
  .map((rows) => rows.map((row, index): Entry => ({ ...row, rank: Math.floor(index / 2) + 1 })));

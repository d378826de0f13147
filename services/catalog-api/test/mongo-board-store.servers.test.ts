import fc from 'fast-check';
import { nameKey } from '@lobbystats/contracts';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { openMongoCatalogStore } from '../src/adapters/mongo/mongo-catalog-store.ts';
import type { Entry } from '../src/domain/board.ts';
import { describeBoardStore } from './board-store.contract.ts';
import { describeChangeLog } from './change-log.contract.ts';
import { describeEntrySearch } from './entry-search.contract.ts';
import { mongoTitles } from './mongo-titles.ts';
import { describePlayerStore } from './player-store.contract.ts';
import { describeOutbox } from './outbox.contract.ts';
import { put } from './stored-boards.ts';

let database: PreparedMongo;
beforeAll(async () => {
  database = await mongoTitles('test_boards');
});
afterAll(() => database.empty());

const openEmpty = async () => {
  await database.empty();
  return openMongoCatalogStore(database.url, 'simulated');
};

describeBoardStore('MongoDB', openEmpty);
describeChangeLog('MongoDB', openEmpty);
describeEntrySearch('MongoDB', openEmpty);
describePlayerStore('MongoDB', openEmpty);
describeOutbox('MongoDB', openEmpty);

describe('MongoDB', () => {
  // It has a board's entries twice: as a whole, and each by itself for searches.
  it('finds on a board what the board says, whatever it said before', async () => {
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

/** Boards of few names, most of them several times. */
const contents = fc
  .array(
    fc.record({
      name: fc.constantFrom(...NAMES),
      rating: fc.constantFrom('', '$rank', '0:01.000'),
      timeMs: fc.nat({ max: 3 }),
    }),
    { maxLength: 12 },
  )
  .map((rows) => rows.map((row, place): Entry => ({ ...row, rank: Math.floor(place / 2) + 1 })));

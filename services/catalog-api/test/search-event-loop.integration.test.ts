import { openSqliteCatalogStore } from '../src/database/catalog-store.sqlite.ts';
import type { BoardStore } from '../src/leaderboards/board-store.ts';
import type { CatalogStore } from '../src/database/catalog-store.ts';
import { commitNext, times, write } from './stored-boards.ts';

const keys = Array.from({ length: 20 }, (_, index) => `p${index}`);

let catalog: CatalogStore;
beforeAll(async () => {
  catalog = openSqliteCatalogStore('sqlite::memory:', 'simulated');
  const entries = times(...keys.map((key, index) => [key, index] as const));
  const boards = Array.from({ length: 200 }, (_, leaderboardId) => write({ leaderboardId, entries }));
  await commitNext(catalog.boards, { boards });
});
afterAll(() => catalog.close());

const searches: Record<string, (store: BoardStore) => Promise<readonly unknown[]>> = {
  'players everywhere': (store) => store.ofPlayers({ keys }),
  'all their times': async (store) => (await Array.fromAsync(store.timesOfPlayers({ keys }))).flat(),
  'players at ranks': (store) => store.atRanks({ pairs: keys.map((key, index) => ({ key, rank: index + 1 })) }),
};

describe('search for many players in SQLite', () => {
  it.each(Object.entries(searches))('yields to the event loop between batches: %s', async (_name, search) => {
    let ticks = 0;
    let over = false;
    const countTick = () => {
      ticks += 1;
      if (!over) setImmediate(countTick);
    };
    setImmediate(countTick);
    expect(await search(catalog.boards)).toHaveLength(4000);
    over = true;
    expect(ticks).toBeGreaterThan(3);
  });

  it('stops reading once enough rows are found', async () => {
    const { value } = await catalog.boards.timesOfPlayers({ keys })[Symbol.asyncIterator]().next();
    expect(value).toHaveLength(140);
    expect(await catalog.boards.ofPlayers({ keys, limit: 101 })).toHaveLength(101);
  });
});

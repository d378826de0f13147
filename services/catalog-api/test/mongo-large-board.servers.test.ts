import { BOARD_ENTRIES_MAX, changeRecorded } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { startMongod, type TestMongod } from '@lobbystats/test-kit/test-mongod';
import { openMongoCatalogStore, type CatalogStore } from '../src/open-store.ts';
import type { BoardObservation } from '../src/boards/board.ts';
import { prepareCatalogDatabase } from './prepare-catalog-database.ts';
import { boardCatalogWith, observationAt } from './observed-boards.ts';
import { BOARD, times } from './stored-boards.ts';

const ENTRIES = BOARD_ENTRIES_MAX;
const OTHER = { ...BOARD, leaderboardId: 2 };
/** The minimum of MongoDB: a whole board does not fit into one transaction. */
const SMALL_CACHE = ['--wiredTigerCacheSizeGB', '0.25'];

let server: TestMongod;
let store: CatalogStore;
beforeAll(async () => {
  server = await startMongod(...SMALL_CACHE);
  const { url } = await prepareCatalogDatabase('large_board', server.url);
  store = await openMongoCatalogStore(url, 'simulated');
});
afterAll(async () => {
  await store.close();
  await server.remove();
});

/** A board whose player names all start with `name`. */
const large = (hour: number, name: string): BoardObservation =>
  observationAt(hour, times(...Array.from({ length: ENTRIES }, (_, i) => [`${name} ${i}`, 60_000 + i] as const)));
const other = (hour: number, timeMs: number): BoardObservation => ({
  ...observationAt(hour, times(['Ember Fox', timeMs])),
  ...OTHER,
});

describe('a board of maximum size with only new names, on a MongoDB with a small cache', () => {
  it('stores the board and records each of its changes once', async () => {
    const catalog = boardCatalogWith(store.boards, store);
    const observe = (observations: readonly BoardObservation[]) => catalog.observe(observations, false);
    await untilAvailable(() => observe([large(0, 'Before'), other(0, 70_000)]));
    await untilAvailable(() => observe([large(1, 'After'), other(1, 69_000)]));

    expect(await store.boards.state(BOARD)).toMatchObject({ version: 2, entryCount: ENTRIES });
    expect(await store.boards.state(OTHER)).toMatchObject({ version: 2 });
    expect((await store.boards.entries(BOARD)).at(-1)).toMatchObject({ name: `After ${ENTRIES - 1}` });
    const found = await store.boards.ofPlayers({ keys: ['before 0', 'after 0'] });
    expect(found.map(({ playerName }) => playerName)).toEqual(['After 0']);
    expect(await store.boards.countChanges({ type: 'new' })).toBe(ENTRIES);
    expect(await store.boards.countChanges({ type: 'removed' })).toBe(ENTRIES);
    const publishedIds: number[] = [];
    for (let facts = await store.outbox.pending(20); facts.length > 0; facts = await store.outbox.pending(20)) {
      for (const { type, data } of facts) {
        if (type === changeRecorded.key)
          publishedIds.push(...changeRecorded.data.parse(data).changes.map(({ id }) => id));
      }
      await store.outbox.remove(facts.map(({ place }) => place));
    }
    expect(publishedIds.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 2 * ENTRIES + 1 }, (_, index) => index + 1),
    );
  });
});

/** Retries like the bus while the store is unavailable. */
async function untilAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!hasCode(error, 'unavailable') || attempt === 10) throw error;
    }
  }
}

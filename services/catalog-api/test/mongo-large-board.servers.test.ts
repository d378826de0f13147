import { BOARD_ENTRIES_MAX, changeRecorded } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import { ownMongod, type OwnMongod } from '../../../test/stack/own-mongod.ts';
import { openMongoCatalogStore } from '../src/adapters/mongo/mongo-catalog-store.ts';
import type { BoardObservation } from '../src/domain/board-observation.ts';
import type { CatalogStore } from '../src/domain/catalog-store.ts';
import { mongoTitles } from './mongo-titles.ts';
import { catalogOver, seen } from './observed-boards.ts';
import { BOARD, times } from './stored-boards.ts';

const ENTRIES = BOARD_ENTRIES_MAX;
const OTHER = { ...BOARD, leaderboardId: 2 };
/** The least that a server takes: no transaction has place for all of such a board. */
const SMALL_CACHE = ['--wiredTigerCacheSizeGB', '0.25'];

let server: OwnMongod;
let store: CatalogStore;
beforeAll(async () => {
  server = await ownMongod(...SMALL_CACHE);
  const { url } = await mongoTitles('large_board', server.url);
  store = await openMongoCatalogStore(url, 'simulated');
}, 120_000);
afterAll(async () => {
  await store.close();
  await server.remove();
}, 60_000);

/** A board whose every entry is another than under another name. */
const large = (hour: number, name: string): BoardObservation =>
  seen(hour, times(...Array.from({ length: ENTRIES }, (_, i) => [`${name} ${i}`, 60_000 + i] as const)));
const other = (hour: number, timeMs: number): BoardObservation => ({
  ...seen(hour, times(['Ember Fox', timeMs])),
  ...OTHER,
});

describe('a board as large as they may be, of which every entry is another than before, on a MongoDB with a small cache', () => {
  it('is taken in, with all its changes, each once', async () => {
    const catalog = catalogOver(store.boards, store);
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
    const told: number[] = [];
    for (let facts = await store.outbox.pending(20); facts.length > 0; facts = await store.outbox.pending(20)) {
      for (const { type, data } of facts) {
        if (type === changeRecorded.key) told.push(...changeRecorded.data.parse(data).changes.map(({ id }) => id));
      }
      await store.outbox.remove(facts.map(({ place }) => place));
    }
    expect(told.sort((a, b) => a - b)).toEqual(Array.from({ length: 2 * ENTRIES + 1 }, (_, index) => index + 1));
  }, 240_000);
});

/** As the bus does it: what finds the store unavailable comes again. */
async function untilAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!hasCode(error, 'unavailable') || attempt === 10) throw error;
    }
  }
}

import os from 'node:os';
import { changeRecorded } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import { testServers } from '@lobbystats/test-kit';
import { MongoClient } from 'mongodb';
import { openMongoCatalogStore } from '../src/adapters/mongo/mongo-catalog-store.ts';
import { boardId } from '../src/domain/board.ts';
import type { BoardObservation } from '../src/domain/board-observation.ts';
import type { CatalogStore } from '../src/domain/catalog-store.ts';
import { mongoTitles } from './mongo-titles.ts';
import { catalogOver, seen } from './observed-boards.ts';
import { BOARD, times } from './stored-boards.ts';

const DATABASE = 'test_large_board';
/** So many that its commit has no other board. */
const ENTRIES = 6000;
const OTHER = { ...BOARD, leaderboardId: 2 };

let store: CatalogStore;
let admin: MongoClient;
beforeAll(async () => {
  admin = new MongoClient(testServers().mongodb.url, { runtimeAdapters: { os } });
  // Dropped whole: to take out so many rows one by one may take longer than a store waits.
  await admin.db(DATABASE).dropDatabase();
  const { url } = await mongoTitles(DATABASE);
  store = await openMongoCatalogStore(url, 'simulated');
}, 60_000);
afterAll(async () => {
  await store.close();
  await admin.db(DATABASE).dropDatabase();
  await admin.close();
}, 60_000);

/** A board whose every entry is another than under another name. */
const large = (hour: number, name: string): BoardObservation =>
  seen(hour, times(...Array.from({ length: ENTRIES }, (_, i) => [`${name} ${i}`, 60_000 + i] as const)));
const other = (hour: number, timeMs: number): BoardObservation => ({
  ...seen(hour, times(['Ember Fox', timeMs])),
  ...OTHER,
});

describe('a large board, of which every entry is another than before, on MongoDB', () => {
  it('is refused whole while it can’t be committed, holds up no other, and is taken in whole when it can', async () => {
    const catalog = catalogOver(store.boards, store);
    const observe = (observations: readonly BoardObservation[]) => catalog.observe(observations, false);
    await untilAvailable(() => observe([large(0, 'Before'), other(0, 70_000)]));
    const facts = await store.outbox.backlog();

    const held = admin.startSession();
    held.startTransaction();
    const rows = admin.db(DATABASE).collection<{ _id: string; version: number }>('board');
    await rows.updateOne({ _id: boardId(BOARD) }, { $inc: { version: 1 } }, { session: held });
    await expect(observe([large(1, 'After'), other(1, 69_000)])).rejects.toMatchObject({ code: 'unavailable' });
    await held.abortTransaction().catch(() => undefined);
    await held.endSession();

    expect(await store.boards.state(BOARD)).toMatchObject({ version: 1 });
    expect((await store.boards.entries(BOARD))[0]).toMatchObject({ name: 'Before 0' });
    expect(await store.boards.ofPlayers({ keys: ['after 0'] })).toEqual([]);
    expect(await store.boards.state(OTHER)).toMatchObject({ version: 2 });
    expect(await store.boards.countChanges({})).toBe(1);
    expect(await store.outbox.backlog()).toBe(facts + 2);

    const taken = await untilAvailable(() => observe([large(1, 'After'), other(1, 69_000)]));
    expect(taken).toEqual({ boards: 1, changes: 2 * ENTRIES });
    expect(await store.boards.state(BOARD)).toMatchObject({ version: 2, entryCount: ENTRIES });
    expect((await store.boards.entries(BOARD)).at(-1)).toMatchObject({ name: `After ${ENTRIES - 1}` });
    const found = await store.boards.ofPlayers({ keys: ['before 0', 'after 0'] });
    expect(found.map(({ playerName }) => playerName)).toEqual(['After 0']);
    expect(await store.boards.countChanges({ type: 'new' })).toBe(ENTRIES);
    expect(await store.boards.countChanges({ type: 'removed' })).toBe(ENTRIES);
    const pending = await store.outbox.pending(1000);
    const told = pending
      .filter(({ type }) => type === changeRecorded.key)
      .flatMap(({ data }) => changeRecorded.data.parse(data).changes);
    expect(told).toHaveLength(2 * ENTRIES + 1);
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

import { AppError } from '@lobbystats/contracts/errors';
import fc from 'fast-check';
import type { BoardCatalog } from '../src/ingest/board-catalog.ts';
import type { Entry } from '../src/boards/board.ts';
import type { CatalogStore } from '../src/open-store.ts';
import { boardCatalogWith, allChanges, openBoards, observationAt } from './observed-boards.ts';
import { BOARD, HOUR, scores, times } from './stored-boards.ts';

let store: CatalogStore;
let catalog: BoardCatalog;
beforeEach(() => {
  ({ store, catalog } = openBoards());
});
afterEach(() => store.close());

describe('BoardCatalog.observe', () => {
  it('stores the latest pass of a board for any delivery order and batch size', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ passes, batches }) => {
        const one = openBoards();
        for (const batch of batches) await one.catalog.observe(batch, false);
        const last = passes.at(-1);
        expect(await one.store.boards.entries(BOARD)).toEqual(last?.board?.entries ?? []);
        expect(await one.store.boards.states([BOARD])).toMatchObject([{ gone: last?.board === null }]);
        await expectConsistentLog(one.store);
        await one.store.close();
      }),
      { numRuns: 150 },
    );
  });

  it('records each change once when two collectors deliver the same passes repeatedly', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ passes }) => {
        const [once, often] = [openBoards(), openBoards()];
        for (const pass of passes) await once.catalog.observe([pass], false);
        const other = boardCatalogWith(often.store.boards, often.store);
        for (const [index, pass] of passes.entries()) {
          const earlier = passes.slice(0, index + 1);
          await Promise.all([often.catalog.observe([pass], false), other.observe([pass, ...earlier], false)]);
        }
        expect(await allChanges(often.store)).toEqual(await allChanges(once.store));
        expect(await often.store.boards.states([BOARD])).toEqual(await once.store.boards.states([BOARD]));
        await once.store.close();
        await often.store.close();
      }),
      { numRuns: 80 },
    );
  });

  it('records no changes for the first observation of a board', async () => {
    expect(await catalog.observe([observationAt(0, times(['A', 1]))], false)).toMatchObject({ boards: 1, changes: 0 });
    expect(await allChanges(store)).toEqual([]);
    expect(await store.boards.state(BOARD)).toMatchObject({ version: 1, entryCount: 1, pass: HOUR });
  });

  it('reports each commit to the callback even if a later commit of the batch fails', async () => {
    const pass = (hour: number) => observationAt(hour, times(['A', 10 + hour]));
    let left = 2;
    const commit: CatalogStore['boards']['commit'] = async (change) => {
      left -= 1;
      if (left < 0) throw new AppError('unavailable', 'The disk is full');
      return store.boards.commit(change);
    };
    const progress: unknown[] = [];
    const failing = boardCatalogWith({ ...store.boards, commit }, store);
    const batch = [pass(0), pass(1), pass(2)];
    await expect(failing.observe(batch, false, (counts) => progress.push(counts))).rejects.toThrow('The disk is full');
    expect(progress).toMatchObject([
      { boards: 1, changes: 0 },
      { boards: 1, changes: 1 },
    ]);
    expect(await allChanges(store)).toHaveLength(1);
  });

  it('writes nothing for a second observation of a board in the same pass', async () => {
    await catalog.observe([observationAt(0, times(['A', 1]))], false);
    const log = await store.boards.changeLog();
    expect(await catalog.observe([observationAt(0, times(['B', 2]))], false)).toMatchObject({ boards: 0, changes: 0 });
    expect(await store.boards.changeLog()).toEqual(log);
  });

  it('moves the pass of an unchanged board, and ignores older observations afterwards', async () => {
    await catalog.observe([observationAt(0, times(['A', 1]))], false);
    expect(await catalog.observe([observationAt(2, times(['A', 1]))], false)).toMatchObject({ boards: 0, changes: 0 });
    expect(await catalog.observe([observationAt(1, times(['A', 2]))], false)).toMatchObject({ boards: 0, changes: 0 });
    expect(await store.boards.state(BOARD)).toMatchObject({ version: 1, pass: HOUR + 7200, changedAt: HOUR + 60 });
    expect(await store.outbox.backlog()).toBe(1);
  });

  it('stores a reordered or renamed board without recording changes', async () => {
    await catalog.observe([observationAt(0, times(['A', 1], ['B', 1]))], false);
    await catalog.observe([observationAt(1, times(['B', 1], ['A', 1]))], false);
    await catalog.observe([observationAt(2, times(['B', 1], ['A', 1]), { name: 'New Pier' })], false);
    expect(await allChanges(store)).toEqual([]);
    expect(await store.boards.state(BOARD)).toMatchObject({ version: 3, name: 'New Pier' });
    expect((await store.boards.entries(BOARD)).map(({ name }) => name)).toEqual(['B', 'A']);
  });

  it('records no changes when a board switches between times and scores', async () => {
    await catalog.observe([observationAt(0, times(['A', 1]))], false);
    await catalog.observe([observationAt(1, scores(['A', '9'], ['B', '8']), { isTime: false })], false);
    expect(await store.boards.entries(BOARD)).toEqual(scores(['A', '9'], ['B', '8']));
    await catalog.observe([observationAt(2, times(['A', 3]))], false);
    expect(await allChanges(store)).toEqual([]);
    expect(await store.boards.state(BOARD)).toMatchObject({ version: 3, isTime: true });
  });

  it('records no changes when a board disappears, and compares with its last content when it returns', async () => {
    await catalog.observe([observationAt(0, times(['A', 5], ['B', 6]))], false);
    await catalog.observe([observationAt(1, null)], false);
    await catalog.observe([observationAt(2, null)], false);
    expect(await allChanges(store)).toEqual([]);
    expect(await store.boards.states([BOARD])).toMatchObject([{ gone: true, version: 2, name: 'Old Pier' }]);
    await catalog.observe([observationAt(3, times(['A', 4], ['C', 7]))], false);
    const brief = (await allChanges(store)).map(({ type, playerName }) => `${type} ${playerName}`);
    expect(brief).toEqual(['updated A', 'new C', 'removed B']);
  });

  it('records no changes when a board first seen as gone gets its first content', async () => {
    await catalog.observe([observationAt(1, null)], false);
    await catalog.observe([observationAt(0, times(['A', 5]))], false);
    expect(await store.boards.state(BOARD)).toBeUndefined();
    await catalog.observe([observationAt(2, times(['A', 4]))], false);
    expect(await store.boards.state(BOARD)).toMatchObject({ version: 2, entryCount: 1 });
    expect(await allChanges(store)).toEqual([]);
  });

  it('stores the last version of each day when one batch spans several days', async () => {
    const passes = [0, 10, 20, 30, 40].map((hour) => observationAt(hour, times(['A', 100 - hour])));
    await catalog.observe(passes, true);
    expect(await store.boards.versionAt(BOARD, '2027-01-15')).toMatchObject({ entries: times(['A', 90]) });
    expect(await store.boards.versionAt(BOARD, '2027-01-16')).toMatchObject({ entries: times(['A', 70]) });
    expect(await store.boards.versionAt(BOARD, '2027-01-17')).toMatchObject({ entries: times(['A', 60]) });
  });

  it('replaces lone surrogates in names and ratings with U+FFFD', async () => {
    const odd = [{ rank: 1, name: 'lone \ud83c surrogate', rating: '\udfff', timeMs: 5 }];
    await catalog.observe([observationAt(0, odd)], false);
    await catalog.observe([observationAt(1, odd)], false);
    expect(await allChanges(store)).toEqual([]);
    expect(await store.boards.entries(BOARD)).toMatchObject([{ name: 'lone \ufffd surrogate', rating: '\ufffd' }]);
  });
});

/** Expects IDs without gaps, times that never go back, and exact counts. */
async function expectConsistentLog(of: CatalogStore): Promise<void> {
  const changes = await allChanges(of);
  const { lastId, lastChangedAt } = await of.boards.changeLog();
  expect(changes.map(({ id }) => id)).toEqual(Array.from({ length: lastId }, (_, index) => index + 1));
  expect(changes.at(-1)?.changedAt ?? 0).toBe(lastChangedAt);
  for (const [index, { changedAt }] of changes.entries()) {
    expect(changedAt).toBeGreaterThanOrEqual(changes[index - 1]?.changedAt ?? 0);
  }
  expect(await of.boards.countChanges({})).toBe(changes.length);
}

const rows: fc.Arbitrary<Entry[]> = fc.array(
  fc.record({
    rank: fc.integer({ min: 1, max: 4 }),
    name: fc.constantFrom('A', 'B', 'C', '__proto__'),
    rating: fc.constant('x'),
    timeMs: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 5 },
);

/** Passes of one board, each delivered at least once, in any order, in batches of any size. */
const histories = fc.array(fc.option(rows, { freq: 5 }), { minLength: 1, maxLength: 6 }).chain((contents) => {
  const passes = contents.map((entries, hour) => observationAt(hour * 7, entries));
  return fc.record({
    passes: fc.constant(passes),
    batches: fc
      .tuple(
        fc.shuffledSubarray(passes, { minLength: passes.length }),
        fc.shuffledSubarray(passes),
        fc.integer({ min: 1, max: 4 }),
      )
      .map(([all, again, size]) => {
        const delivered = [...all, ...again];
        const starts = delivered.keys().filter((index) => index % size === 0);
        return [...starts].map((first) => delivered.slice(first, first + size));
      }),
  });
});

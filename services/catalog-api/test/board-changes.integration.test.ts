import type { BoardCatalog } from '../src/leaderboards/board-catalog.ts';
import type { BoardStore } from '../src/leaderboards/board-store.ts';
import type { CatalogStore } from '../src/database/catalog-store.ts';
import { TitleCatalog } from '../src/titles/title-catalog.ts';
import { boardCatalogWith, allChanges, openBoards, observationAt } from './observed-boards.ts';
import { BOARD, HOUR, times, TITLE } from './stored-boards.ts';

let store: CatalogStore;
let catalog: BoardCatalog;
beforeEach(() => {
  ({ store, catalog } = openBoards());
});
afterEach(() => store.close());

describe('recorded changes', () => {
  it('assigns IDs in the order of change times when boards are observed out of order', async () => {
    const boards = [1, 2, 3].map((leaderboardId) => ({ ...BOARD, leaderboardId }));
    await catalog.observe(
      boards.map((key) => ({ ...observationAt(0, times(['A', 9])), ...key })),
      false,
    );
    const at = [HOUR + 3600 + 90, HOUR + 3600 + 30, HOUR + 3600 + 60];
    for (const [index, key] of boards.entries()) {
      await catalog.observe([{ ...observationAt(1, times(['A', 8])), ...key, seenAt: at[index] ?? 0 }], false);
    }
    await catalog.observe(
      boards.map((key, index) => ({ ...observationAt(2, times(['A', 7])), ...key, seenAt: (at[index] ?? 0) + 3600 })),
      false,
    );
    const changes = await allChanges(store);
    expect(changes.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(changes.map(({ leaderboardId }) => leaderboardId)).toEqual([1, 2, 3, 2, 3, 1]);
    expect(changes.map(({ changedAt }) => changedAt - HOUR - 3600)).toEqual([90, 90, 90, 3630, 3660, 3690]);
  });

  it('publishes boards and changes in one fact each, with the displayed names', async () => {
    const titles = new TitleCatalog({ store: store.titles, clock: () => HOUR * 1000, origin: 'simulated' });
    const home = { name: 'Harbor Racing', image: '', publisher: '', productCode: '' };
    await titles.observe([{ seenAt: HOUR, titles: [{ titleId: TITLE, home }] }], false);
    await catalog.observe([observationAt(0, times(['A', 49_900]))], true);
    await catalog.observe([observationAt(1, times(['A', 49_300]))], false);
    const [, baseline, board, changed] = await store.outbox.pending(9);
    const state = { ...BOARD, name: 'Old Pier', isTime: true, entries: 1, gone: false };
    expect(baseline).toMatchObject({ type: 'board.stored', past: true, data: { boards: [{ ...state, version: 1 }] } });
    expect(board).toMatchObject({ type: 'board.stored', past: false, data: { boards: [{ ...state, version: 2 }] } });
    expect(changed).toMatchObject({
      type: 'change.recorded',
      occurredAt: HOUR + 3660,
      data: { changes: [{ id: 1, gameName: 'Harbor Racing', leaderboardName: 'Old Pier', newRating: '0:49.300' }] },
    });
    const { revision } = await store.boards.changeLog();
    expect([board?.id, changed?.id]).toEqual([
      `board.stored:simulated:${revision}:1`,
      `change.recorded:simulated:${revision}:1`,
    ]);
  });

  it('splits changes into facts of at most 500', async () => {
    const many = (add: number) => times(...Array.from({ length: 1200 }, (_, i) => [`P${i}`, 1000 + i + add] as const));
    await catalog.observe([observationAt(0, many(0))], false);
    await catalog.observe([observationAt(1, many(1))], false);
    const facts = (await store.outbox.pending(99)).filter(({ type }) => type === 'change.recorded');
    const counts = facts.map(({ data }) => (data as { changes: unknown[] }).changes.length);
    expect(counts).toEqual([500, 500, 200]);
  });
});

describe('observation of a board', () => {
  it('rejects an observation from the far future as invalid', async () => {
    const future = HOUR + 30 * 86_400;
    for (const odd of [{ seenAt: future }, { pass: future }]) {
      const observing = catalog.observe([{ ...observationAt(0, times(['A', 1])), ...odd }], false);
      await expect(observing).rejects.toMatchObject({ code: 'invalid' });
    }
    expect(await store.boards.states([BOARD])).toEqual([]);
  });

  it('fails as unavailable when other commits always win', async () => {
    const busy = { ...store.boards, commit: async () => false };
    const observing = boardCatalogWith(busy, store).observe([observationAt(0, times(['A', 1]))], false);
    await expect(observing).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('compares an observation with the current board again after a concurrent commit', async () => {
    await catalog.observe([observationAt(0, times(['A', 3]))], false);
    let raced = false;
    const racing: BoardStore = {
      ...store.boards,
      commit: async (change) => {
        if (!raced) {
          raced = true;
          await catalog.observe([observationAt(1, times(['A', 2]))], false);
        }
        return store.boards.commit(change);
      },
    };
    await boardCatalogWith(racing, store).observe([observationAt(2, times(['A', 1]))], false);
    const changes = await allChanges(store);
    expect(changes.map(({ oldTimeMs, newTimeMs }) => [oldTimeMs, newTimeMs])).toEqual([
      [3, 2],
      [2, 1],
    ]);
  });
});

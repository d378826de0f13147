import { SLOTS_PER_PASS, groupOf } from '../src/boards/board-schedule.ts';
import type { CollectorStore } from '../src/collector-store.ts';
import { NOW, twoReplicas, type OpenReplicas } from './two-replicas.contract.ts';

/** Contract of BoardCrawlState and BoardBackfillStore for every store. */
export function boardStoreContract(openTwo: OpenReplicas): void {
  const replicas = twoReplicas(openTwo);
  let store: CollectorStore;
  let other: CollectorStore;
  beforeEach(() => {
    ({ store, other } = replicas);
  });

  describe('BoardCrawlState', () => {
    const TITLE = '4d530064';
    const PASS = 1_799_996_400;
    const board = { titleId: TITLE, leaderboardId: 7 };
    const validators = [{ etag: '"1"', lastModified: null }];
    const group = groupOf(board);
    const dueAt = async (at: number) =>
      (await other.boards.due(at)).map(({ leaderboardId, name }) => [leaderboardId, name]);
    const saying = (pass: number, digest: string | null) => ({ pass, digest });

    beforeEach(() => store.boards.updateListing(TITLE, [{ id: 7, name: 'Old Pier' }]));

    it('has no state of a board that was never listed, and ignores writes to it', async () => {
      const unknown = { titleId: '__proto__', leaderboardId: 7 };
      expect(await store.boards.get(unknown)).toBeUndefined();
      expect(await store.boards.beginPublishing(unknown, saying(PASS, 'd'), NOW)).toBe(false);
      await store.boards.markPublished(unknown, saying(PASS, 'd'), []);
      await store.boards.markConfirmed(unknown, validators);
      await store.boards.setPendingRetry(unknown, PASS);
      expect(await other.boards.get(unknown)).toBeUndefined();
    });

    it('returns listed boards as due in their own slot of the pass', async () => {
      expect(await dueAt(group)).toEqual([[7, 'Old Pier']]);
      expect(await dueAt((group + 1) % SLOTS_PER_PASS)).toEqual([]);
      await other.boards.updateListing(TITLE, [{ id: 7, name: 'Pier' }]);
      expect(await dueAt(group)).toEqual([[7, 'Pier']]);
      await store.boards.updateListing(TITLE, []);
      expect(await dueAt(group)).toEqual([]);
      expect(await store.boards.get(board)).toMatchObject({ isListed: false });
    });

    it('stores what was last published of a board, which stays due until published as gone', async () => {
      expect(await other.boards.get(board)).toEqual({
        name: 'Old Pier',
        isListed: true,
        published: null,
        validators: [],
        retryPendingSince: null,
      });
      await store.boards.markPublished(board, saying(PASS, 'd1'), validators);
      await store.boards.updateListing(TITLE, [{ id: 7, name: 'Old Pier' }]);
      expect(await other.boards.get(board)).toMatchObject({ published: { pass: PASS, digest: 'd1' }, validators });
      await store.boards.updateListing(TITLE, []);
      expect(await dueAt(group)).toEqual([[7, 'Old Pier']]);
      await other.boards.markPublished(board, saying(PASS + 3600, null), []);
      expect(await dueAt(group)).toEqual([]);
      await store.boards.updateListing(TITLE, [{ id: 7, name: 'Old Pier' }]);
      expect(await dueAt(group)).toEqual([[7, 'Old Pier']]);
      expect(await other.boards.get(board)).toMatchObject({ isListed: true, published: { digest: null } });
    });

    it('no longer lists a board that was published as gone', async () => {
      await store.boards.markPublished(board, saying(PASS, 'd1'), validators);
      await store.boards.markPublished(board, saying(PASS + 3600, null), []);
      expect(await other.boards.get(board)).toMatchObject({ isListed: false, validators: [] });
    });

    it('clears the validators of a renamed board, so that it is read whole', async () => {
      await store.boards.markPublished(board, saying(PASS, 'd1'), validators);
      await other.boards.updateListing(TITLE, [{ id: 7, name: 'Pier' }]);
      expect(await store.boards.get(board)).toMatchObject({
        name: 'Pier',
        published: { digest: 'd1' },
        validators: [],
      });
    });

    it('lets a board be published once in a pass, and tells what an earlier leader may have published', async () => {
      expect(await store.boards.beginPublishing(board, saying(PASS, 'd1'), NOW)).toEqual({ before: undefined });
      expect(await other.boards.beginPublishing(board, saying(PASS, 'd2'), NOW)).toEqual({ before: 'd1' });
      await other.boards.markPublished(board, saying(PASS, 'd2'), validators);
      expect(await store.boards.beginPublishing(board, saying(PASS, 'd3'), NOW)).toBe(false);
      expect(await store.boards.beginPublishing(board, saying(PASS - 3600, 'd3'), NOW)).toBe(false);
      expect(await store.boards.beginPublishing(board, saying(PASS + 3600, 'd3'), NOW)).toEqual({ before: undefined });
    });

    it('lets a board be published when its published pass is in the future because a clock was ahead', async () => {
      await store.boards.markPublished(board, saying(PASS + 360_000, 'd1'), []);
      expect(await store.boards.beginPublishing(board, saying(PASS, null), NOW)).toEqual({ before: undefined });
      expect(await store.boards.beginPublishing(board, saying(PASS, 'd1'), NOW)).toEqual({ before: null });
    });

    it('returns a board as a pending retry of its pass until it is published or confirmed', async () => {
      await store.boards.setPendingRetry(board, PASS);
      expect(await other.boards.pendingRetries(PASS)).toEqual([{ ...board, name: 'Old Pier' }]);
      expect(await other.boards.pendingRetries(PASS + 3600)).toEqual([]);
      expect(await other.boards.get(board)).toMatchObject({ retryPendingSince: PASS });
      await other.boards.markConfirmed(board, validators);
      expect(await store.boards.pendingRetries(PASS)).toEqual([]);
      expect(await store.boards.get(board)).toMatchObject({ validators, retryPendingSince: null });
      await store.boards.setPendingRetry(board, PASS);
      await store.boards.markPublished(board, saying(PASS, 'd1'), []);
      expect(await other.boards.pendingRetries(PASS)).toEqual([]);
      await store.boards.setPendingRetry(board, PASS + 10);
      await other.boards.setPendingRetry(board, null);
      expect(await store.boards.pendingRetries(PASS)).toEqual([]);
    });

    it('sorts pending retries by the latest attempt, the oldest first, within the pass', async () => {
      const ids = [7, 8, 9, 10];
      await store.boards.updateListing(
        TITLE,
        ids.map((id) => ({ id, name: `Pier ${id}` })),
      );
      const attempts: [number, number][] = [
        [7, 0],
        [8, 30],
        [9, 3599],
        [10, 3600],
        [7, 40],
      ];
      for (const [leaderboardId, after] of attempts)
        await store.boards.setPendingRetry({ titleId: TITLE, leaderboardId }, PASS + after);
      expect((await other.boards.pendingRetries(PASS)).map(({ leaderboardId }) => leaderboardId)).toEqual([8, 7, 9]);
      expect((await other.boards.pendingRetries(PASS + 3600)).map(({ leaderboardId }) => leaderboardId)).toEqual([10]);
    });

    it('treats the published digest as unknown until the publication is confirmed', async () => {
      const unknown = { published: { pass: 0, digest: '' }, validators: [] };
      await store.boards.beginPublishing(board, saying(PASS, 'd1'), NOW);
      expect(await other.boards.get(board)).toMatchObject(unknown);
      // The board may have been published, so it is due until it is published as gone.
      await store.boards.updateListing(TITLE, []);
      expect(await dueAt(group)).toEqual([[7, 'Old Pier']]);
      await store.boards.markPublished(board, saying(PASS, 'd1'), validators);
      expect(await other.boards.get(board)).toMatchObject({ published: { pass: PASS, digest: 'd1' }, validators });
      await store.boards.beginPublishing(board, saying(PASS + 3600, null), NOW);
      expect(await other.boards.get(board)).toMatchObject({ ...unknown, published: { pass: PASS, digest: '' } });
      expect(await other.boards.beginPublishing(board, saying(PASS, 'd1'), NOW)).toBe(false);
    });
  });

  describe('BoardBackfillStore', () => {
    const PASS = 1_799_996_400;
    const passes = { fromPass: PASS - 7200, toPass: PASS };
    const publishedBoard = { titleId: '4d530064', leaderboardId: 7, name: 'Old Pier', pass: PASS - 3600 };

    it('keeps the first range of a backfill and ignores steps from an old cursor', async () => {
      expect(await store.boardBackfill.state()).toBeUndefined();
      const state = { ...passes, cursor: null, reached: PASS - 7200, isDone: false };
      expect(await store.boardBackfill.begin(passes)).toEqual(state);
      expect(await other.boardBackfill.begin({ ...passes, toPass: PASS + 3600 })).toEqual(state);
      await store.boardBackfill.advance(null, {
        next: 'c1',
        reached: PASS - 7200,
        published: [{ ...publishedBoard, digest: 'd1' }],
      });
      // Another replica has done this step already.
      await other.boardBackfill.advance(null, {
        next: 'c0',
        reached: PASS - 7200,
        published: [{ ...publishedBoard, digest: 'd0' }],
      });
      expect(await other.boardBackfill.state()).toEqual({ ...state, cursor: 'c1' });
      await store.boardBackfill.advance('c1', { next: null, reached: PASS - 3600, published: [] });
      await other.boardBackfill.advance(null, { next: 'c9', reached: PASS, published: [] });
      expect(await other.boardBackfill.begin(passes)).toEqual({
        ...passes,
        cursor: null,
        reached: PASS - 3600,
        isDone: true,
      });
      expect(await other.boards.get(publishedBoard)).toMatchObject({ published: { pass: PASS - 3600, digest: 'd1' } });
    });

    it('lists backfilled boards unless they were gone or their title page no longer lists them', async () => {
      await store.boardBackfill.begin(passes);
      await store.boards.updateListing('4d530064', [
        { id: 7, name: 'Pier' },
        { id: 8, name: 'Quay' },
      ]);
      await store.boards.updateListing('4d530064', [{ id: 7, name: 'Pier' }]);
      const published = [
        { ...publishedBoard, digest: 'd1' },
        { ...publishedBoard, leaderboardId: 8, digest: 'd2' },
        { ...publishedBoard, leaderboardId: 9, digest: null },
        { ...publishedBoard, leaderboardId: 10, digest: 'd3' },
      ];
      await store.boardBackfill.advance(null, { next: 'c1', reached: PASS - 3600, published });
      const known = await Promise.all(published.map((board) => other.boards.get(board)));
      expect(known.map((memo) => [memo?.name, memo?.isListed, memo?.published?.digest])).toEqual([
        ['Pier', true, 'd1'],
        ['Quay', false, 'd2'],
        ['Old Pier', false, null],
        ['Old Pier', true, 'd3'],
      ]);
    });

    it('returns what was published last of each board', async () => {
      await store.boardBackfill.begin(passes);
      await store.boards.updateListing('4d530064', [{ id: 6, name: 'Never read' }]);
      expect(await store.boardBackfill.published()).toEqual([]);
      const step = (pass: number, digest: string | null) => ({ ...publishedBoard, pass, digest });
      const gone = { ...step(PASS - 3600, null), leaderboardId: 8 };
      const first = { next: 'c1', reached: PASS - 7200, published: [step(PASS - 7200, 'd1')] };
      await store.boardBackfill.advance(null, first);
      const second = { next: 'c2', reached: PASS - 3600, published: [step(PASS - 3600, 'd2'), gone] };
      await store.boardBackfill.advance('c1', second);
      const found = await other.boardBackfill.published();
      expect(found.toSorted((a, b) => a.leaderboardId - b.leaderboardId)).toEqual([
        { titleId: '4d530064', leaderboardId: 7, pass: PASS - 3600, digest: 'd2' },
        { titleId: '4d530064', leaderboardId: 8, pass: PASS - 3600, digest: null },
      ]);
    });
  });
}

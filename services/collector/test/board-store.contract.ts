import { TURNS, turnOf } from '../src/domain/board-schedule.ts';
import type { CollectorStore } from '../src/domain/collector-store.ts';
import { itIsWorkedOnByOne, lease, NOW, twoReplicas, type OpenTwo } from './two-replicas.contract.ts';

const ada = lease('ada');
const bob = lease('bob');

/** What every store of the collector promises of boards. */
export function boardStoreContract(openTwo: OpenTwo): void {
  const replicas = twoReplicas(openTwo);
  let store: CollectorStore;
  let other: CollectorStore;
  beforeEach(() => {
    ({ store, other } = replicas);
  });

  describe('boards', () => {
    const TITLE = '4d530064';
    const PASS = 1_799_996_400;
    const board = { titleId: TITLE, leaderboardId: 7 };
    const validators = [{ etag: '"1"', lastModified: null }];
    const turn = turnOf(board);
    const dueAt = async (at: number) =>
      (await other.boards.due(at)).map(({ leaderboardId, name }) => [leaderboardId, name]);
    const saying = (pass: number, digest: string | null) => ({ pass, digest });

    beforeEach(() => store.boards.list(TITLE, [{ id: 7, name: 'Old Pier' }]));

    it('are nowhere before they are listed', async () => {
      const unknown = { titleId: '__proto__', leaderboardId: 7 };
      expect(await store.boards.recall(unknown)).toBeUndefined();
      expect(await store.boards.claim(unknown, saying(PASS, 'd'), ada)).toBe(false);
      await store.boards.said(unknown, saying(PASS, 'd'), []);
      await store.boards.confirmed(unknown, validators);
      await store.boards.owe(unknown, PASS);
      expect(await other.boards.recall(unknown)).toBeUndefined();
    });

    it('are due at their turn while they are listed', async () => {
      expect(await dueAt(turn)).toEqual([[7, 'Old Pier']]);
      expect(await dueAt((turn + 1) % TURNS)).toEqual([]);
      await other.boards.list(TITLE, [{ id: 7, name: 'Pier' }]);
      expect(await dueAt(turn)).toEqual([[7, 'Pier']]);
      await store.boards.list(TITLE, []);
      expect(await dueAt(turn)).toEqual([]);
      expect(await store.boards.recall(board)).toMatchObject({ isListed: false });
    });

    it('are remembered as they were last said, and due until they are said to be gone', async () => {
      expect(await other.boards.recall(board)).toEqual({
        name: 'Old Pier',
        isListed: true,
        said: null,
        validators: [],
        owedAt: null,
      });
      await store.boards.said(board, saying(PASS, 'd1'), validators);
      await store.boards.list(TITLE, [{ id: 7, name: 'Old Pier' }]);
      expect(await other.boards.recall(board)).toMatchObject({ said: { pass: PASS, digest: 'd1' }, validators });
      await store.boards.list(TITLE, []);
      expect(await dueAt(turn)).toEqual([[7, 'Old Pier']]);
      await other.boards.said(board, saying(PASS + 3600, null), []);
      expect(await dueAt(turn)).toEqual([]);
      await store.boards.list(TITLE, [{ id: 7, name: 'Old Pier' }]);
      expect(await dueAt(turn)).toEqual([[7, 'Old Pier']]);
      expect(await other.boards.recall(board)).toMatchObject({ isListed: true, said: { digest: null } });
    });

    it('are no longer listed once they are said to be gone', async () => {
      await store.boards.said(board, saying(PASS, 'd1'), validators);
      await store.boards.said(board, saying(PASS + 3600, null), []);
      expect(await other.boards.recall(board)).toMatchObject({ isListed: false, validators: [] });
    });

    it('are read whole when they have another name', async () => {
      await store.boards.said(board, saying(PASS, 'd1'), validators);
      await other.boards.list(TITLE, [{ id: 7, name: 'Pier' }]);
      expect(await store.boards.recall(board)).toMatchObject({ name: 'Pier', said: { digest: 'd1' }, validators: [] });
    });

    it('are said by one at a time, and once in a pass', async () => {
      expect(await store.boards.claim(board, saying(PASS, 'd1'), ada)).toEqual({ before: undefined });
      expect(await other.boards.claim(board, saying(PASS, 'd2'), bob)).toBe(false);
      // Ada has died: what she was about to say may have been said.
      expect(await other.boards.claim(board, saying(PASS, 'd2'), lease('bob', NOW + 15_000))).toEqual({ before: 'd1' });
      await other.boards.said(board, saying(PASS, 'd2'), validators);
      expect(await store.boards.claim(board, saying(PASS, 'd3'), ada)).toBe(false);
      expect(await store.boards.claim(board, saying(PASS - 3600, 'd3'), ada)).toBe(false);
      expect(await store.boards.claim(board, saying(PASS + 3600, 'd3'), ada)).toEqual({ before: undefined });
    });

    it('are said again when a clock ahead of its time had said them', async () => {
      await store.boards.said(board, saying(PASS + 360_000, 'd1'), []);
      expect(await store.boards.claim(board, saying(PASS, null), ada)).toEqual({ before: undefined });
      expect(await store.boards.claim(board, saying(PASS, 'd1'), ada)).toEqual({ before: null });
    });

    it('are owed in a pass until they are had', async () => {
      await store.boards.owe(board, PASS);
      expect(await other.boards.owed(PASS)).toEqual([{ ...board, name: 'Old Pier' }]);
      expect(await other.boards.owed(PASS + 3600)).toEqual([]);
      expect(await other.boards.recall(board)).toMatchObject({ owedAt: PASS });
      await other.boards.confirmed(board, validators);
      expect(await store.boards.owed(PASS)).toEqual([]);
      expect(await store.boards.recall(board)).toMatchObject({ validators, owedAt: null });
      await store.boards.owe(board, PASS);
      await store.boards.said(board, saying(PASS, 'd1'), []);
      expect(await other.boards.owed(PASS)).toEqual([]);
      await store.boards.owe(board, PASS + 10);
      await other.boards.owe(board, null);
      expect(await store.boards.owed(PASS)).toEqual([]);
    });

    it('are owed by their latest attempt within the pass, the oldest first', async () => {
      const ids = [7, 8, 9, 10];
      await store.boards.list(
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
        await store.boards.owe({ titleId: TITLE, leaderboardId }, PASS + after);
      expect((await other.boards.owed(PASS)).map(({ leaderboardId }) => leaderboardId)).toEqual([8, 7, 9]);
      expect((await other.boards.owed(PASS + 3600)).map(({ leaderboardId }) => leaderboardId)).toEqual([10]);
    });

    it('are as nobody knows from the claim to say them until that was said', async () => {
      const unknown = { said: { pass: 0, digest: '' }, validators: [] };
      await store.boards.claim(board, saying(PASS, 'd1'), ada);
      expect(await other.boards.recall(board)).toMatchObject(unknown);
      // It may have been said: so it is due until it is said to be gone.
      await store.boards.list(TITLE, []);
      expect(await dueAt(turn)).toEqual([[7, 'Old Pier']]);
      await store.boards.said(board, saying(PASS, 'd1'), validators);
      expect(await other.boards.recall(board)).toMatchObject({ said: { pass: PASS, digest: 'd1' }, validators });
      await store.boards.claim(board, saying(PASS + 3600, null), ada);
      expect(await other.boards.recall(board)).toMatchObject({ ...unknown, said: { pass: PASS, digest: '' } });
      expect(await other.boards.claim(board, saying(PASS, 'd1'), ada)).toBe(false);
    });
  });

  describe('the boards’ past', () => {
    const PASS = 1_799_996_400;
    const passes = { fromPass: PASS - 7200, toPass: PASS };
    const told = { titleId: '4d530064', leaderboardId: 7, name: 'Old Pier', pass: PASS - 3600 };

    it('has one range, the first, and goes forward step by step', async () => {
      expect(await store.boardFill.state()).toBeUndefined();
      const state = { ...passes, cursor: null, reached: PASS - 7200, isDone: false };
      expect(await store.boardFill.begin(passes)).toEqual(state);
      expect(await other.boardFill.begin({ ...passes, toPass: PASS + 3600 })).toEqual(state);
      await store.boardFill.advance(null, { next: 'c1', reached: PASS - 7200, said: [{ ...told, digest: 'd1' }] });
      // A step that another one has done already.
      await other.boardFill.advance(null, { next: 'c0', reached: PASS - 7200, said: [{ ...told, digest: 'd0' }] });
      expect(await other.boardFill.state()).toEqual({ ...state, cursor: 'c1' });
      await store.boardFill.advance('c1', { next: null, reached: PASS - 3600, said: [] });
      await other.boardFill.advance(null, { next: 'c9', reached: PASS, said: [] });
      expect(await other.boardFill.begin(passes)).toEqual({
        ...passes,
        cursor: null,
        reached: PASS - 3600,
        isDone: true,
      });
      expect(await other.boards.recall(told)).toMatchObject({ said: { pass: PASS - 3600, digest: 'd1' } });
    });

    it('makes boards known as listed, unless they were gone or their title’s page has said otherwise', async () => {
      await store.boardFill.begin(passes);
      await store.boards.list('4d530064', [
        { id: 7, name: 'Pier' },
        { id: 8, name: 'Quay' },
      ]);
      await store.boards.list('4d530064', [{ id: 7, name: 'Pier' }]);
      const said = [
        { ...told, digest: 'd1' },
        { ...told, leaderboardId: 8, digest: 'd2' },
        { ...told, leaderboardId: 9, digest: null },
        { ...told, leaderboardId: 10, digest: 'd3' },
      ];
      await store.boardFill.advance(null, { next: 'c1', reached: PASS - 3600, said });
      const known = await Promise.all(said.map((board) => other.boards.recall(board)));
      expect(known.map((memo) => [memo?.name, memo?.isListed, memo?.said?.digest])).toEqual([
        ['Pier', true, 'd1'],
        ['Quay', false, 'd2'],
        ['Old Pier', false, null],
        ['Old Pier', true, 'd3'],
      ]);
    });

    itIsWorkedOnByOne(() => ({
      mine: store.boardFill,
      others: other.boardFill,
      begin: () => store.boardFill.begin(passes),
    }));
  });
}

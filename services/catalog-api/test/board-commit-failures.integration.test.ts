import { AppError } from '@lobbystats/contracts/errors';
import type { BoardObservation } from '../src/boards/board.ts';
import { boardCatalogWith, allChanges, openBoards, observationAt } from './observed-boards.ts';
import { BOARD, HOUR, times, type BoardStore } from './stored-boards.ts';

const { store } = openBoards();
afterAll(() => store.close());

/** A store that rejects commits of the board with this ID, or all commits. */
function failingStore(leaderboardId: number | 'all'): BoardStore {
  return {
    ...store.boards,
    commit: (change) =>
      leaderboardId === 'all' || change.boards.some(({ state }) => state.leaderboardId === leaderboardId)
        ? Promise.reject(new AppError('unavailable', 'The store does not answer in time'))
        : store.boards.commit(change),
  };
}

/** A board large enough for a batch of its own. */
const board = (leaderboardId: number, hour: number, first: number): BoardObservation => ({
  ...observationAt(hour, times(...Array.from({ length: 4000 }, (_, i) => [`P${i}`, first + i] as const))),
  leaderboardId,
});
const passesOf = async () => {
  const states = await store.boards.boardsOf(BOARD.titleId);
  return states.map(({ leaderboardId, pass }) => [leaderboardId, (pass - HOUR) / 3600]);
};

describe('boards that fail to commit', () => {
  it('commits the other boards when one fails, and the failed one on the next attempt', async () => {
    const catalog = boardCatalogWith(store.boards, store);
    await catalog.observe(
      [1, 2, 3].map((id) => board(id, 0, 1000)),
      false,
    );
    const next = [board(1, 1, 1000), board(2, 1, 1001), board(2, 2, 1002), board(3, 1, 1001), board(3, 2, 1002)];
    const commits: number[] = [];
    const outcome = boardCatalogWith(failingStore(2), store).observe(next, false, ({ changes }) =>
      commits.push(changes),
    );
    await expect(outcome).rejects.toMatchObject({ code: 'unavailable' });
    // The later pass of the second board waits for its first.
    expect(await passesOf()).toEqual([
      [1, 1],
      [2, 0],
      [3, 2],
    ]);
    expect(commits).toEqual([0, 4000, 4000]);
    expect(await catalog.observe(next, false)).toMatchObject({ boards: 2, changes: 8000 });
    expect(await passesOf()).toEqual([
      [1, 1],
      [2, 2],
      [3, 2],
    ]);
    expect((await allChanges(store)).map(({ id }) => id)).toEqual(Array.from({ length: 16_000 }, (_, i) => i + 1));
  });

  it('stops after the second failed commit', async () => {
    let commits = 0;
    const away = failingStore('all');
    const counted = {
      ...away,
      commit: (...args: Parameters<BoardStore['commit']>) => ((commits += 1), away.commit(...args)),
    };
    const outcome = boardCatalogWith(counted, store).observe(
      [1, 2, 3].map((id) => board(id, 5, 9000)),
      false,
    );
    await expect(outcome).rejects.toMatchObject({ code: 'unavailable' });
    expect(commits).toBe(2);
  });
});

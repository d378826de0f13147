import type { PageData } from '../src/page.ts';
import { askCommonBoards, type Entry } from '../src/pages/compare/common-boards.ts';

function entry(playerName: string, leaderboardId: number, rank: number): Entry {
  const board = { titleId: '00000001', gameName: 'Harbor Racing', leaderboardId, leaderboardName: 'Old Pier' };
  return { ...board, playerName, rank, rating: '5', timeMs: 0, timeFormatted: '', isTime: false };
}

/** Answers a search with pages of rows. */
function searchWith(pages: readonly (readonly Entry[])[]) {
  const askPart = (_operation: unknown, _params: unknown, { cursor }: { cursor: string }) => {
    const index = cursor === 'start' ? 0 : Number(cursor);
    const nextCursor = index + 1 < pages.length ? String(index + 1) : null;
    return Promise.resolve({ results: pages[index], nextCursor });
  };
  return { askPart } as unknown as PageData;
}

describe('common leaderboards of two players', () => {
  it('are those with entries of both, on all pages of the search', async () => {
    const data = searchWith([
      [entry('Fox', 1, 2), entry('Owl', 1, 5), entry('Fox', 2, 1), entry('Owl', 3, 1)],
      [entry('OWL', 3, 4), entry('Fox', 3, 9), entry('Owl', 4, 1)],
      [entry('Fox', 4, 1)],
    ]);
    const boards = await askCommonBoards(['fox', 'Owl'], data);
    expect(boards?.map(({ leaderboardId, ahead }) => [leaderboardId, ahead])).toEqual([
      [1, 0],
      [3, 1],
      [4, undefined],
    ]);
  });

  it('compare the best entry of each player', async () => {
    const data = searchWith([[entry('Owl', 1, 1), entry('Fox', 1, 2), entry('Owl', 1, 3)]]);
    const [board] = (await askCommonBoards(['Fox', 'Owl'], data)) ?? [];
    expect(board?.entries.map(({ rank }) => rank)).toEqual([2, 1]);
  });

  it('are unknown while the search is unavailable', async () => {
    const data = { askPart: () => Promise.resolve(undefined) } as unknown as PageData;
    expect(await askCommonBoards(['Fox', 'Owl'], data)).toBeUndefined();
  });
});

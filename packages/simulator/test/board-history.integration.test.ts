import type { Board, BoardKey, World } from '../src/index.ts';
import { readWholeBoard } from './board-reader.ts';
import { instant, NOW_SECONDS, NOW_SLOT, withSimulator, type RunningSimulator } from './running-simulator.ts';

interface FeedBoard {
  pass: string;
  titleId: string;
  leaderboardId: number;
  name: string;
  board: Pick<Board, 'isTime' | 'entries'> | null;
}

interface Feed {
  boards: FeedBoard[];
  next: string | null;
}

const HOUR = 3_600;
const DAY = 86_400;
const NOW_HOUR = NOW_SLOT - (NOW_SLOT % HOUR);
const SMALL = { titles: 14, boards: 40, entries: 1_500, openMatches: 2, boardChanges: 0.1 };

describe('leaderboard history feed', () => {
  it('lists each board once, then those that changed in each hour, consistent with world and pages', async () => {
    await withSimulator(SMALL, async ({ json, text, world }) => {
      const { boards, next } = await json<Feed>(history(NOW_HOUR - 2 * DAY + 1_234, NOW_SECONDS));
      expect(next).toBeNull();
      expect(boards).toEqual(expectedBoards(world, NOW_HOUR - 2 * DAY, NOW_HOUR));
      expect(boards.length).toBeGreaterThan(150);
      for (const { pass, titleId, leaderboardId, board } of boards.filter((_, index) => index % 9 === 0)) {
        if (board === null) continue;
        const read = await readWholeBoard(text, `/games/${titleId}/leaderboards/${leaderboardId}?at=${pass}`);
        expect(read.entries).toEqual(board.entries.map(({ rank, name, rating }) => ({ rank, name, rating })));
      }
    });
  });

  it('pages are complete, without duplicates, and at most 2 MB', async () => {
    await withSimulator({ ...SMALL, boards: 100, entries: 60_000, players: 80_000 }, async (simulator) => {
      const { boards, sizes } = await readAll(simulator, NOW_HOUR - DAY, NOW_SECONDS);
      expect(sizes.length).toBeGreaterThan(3);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000_000);
      const listedKeys = boards.map(({ pass, titleId, leaderboardId }) => `${pass} ${titleId} ${leaderboardId}`);
      const due = expectedBoards(simulator.world, NOW_HOUR - DAY, NOW_HOUR);
      expect(listedKeys).toEqual(due.map(({ pass, titleId, leaderboardId }) => `${pass} ${titleId} ${leaderboardId}`));
    });
  });

  it('continues over long periods without changes', async () => {
    await withSimulator({ titles: 3, boards: 2, entries: 10, openMatches: 1, boardChanges: 0 }, async (simulator) => {
      const { boards, sizes } = await readAll(simulator, NOW_HOUR - 100 * DAY, NOW_SECONDS);
      expect(boards.filter(({ pass }) => pass === instant(NOW_HOUR - 100 * DAY))).toHaveLength(2);
      expect(sizes.length).toBeGreaterThan(2);
    });
  });

  it('lists a removed board as null', async () => {
    await withSimulator({ ...SMALL, boards: 300, boardChanges: 0 }, async ({ json, world }) => {
      const { boards } = await json<Feed>(history(NOW_HOUR - 7 * DAY, NOW_SECONDS));
      const removedBoards = boards.filter(({ board }) => board === null);
      expect(removedBoards.length).toBeGreaterThan(0);
      for (const { pass, titleId, leaderboardId, name } of removedBoards) {
        expect(name).toBe('');
        expect(world.board(Date.parse(pass) / 1_000, titleId, leaderboardId)).toBeUndefined();
        expect(world.board(Date.parse(pass) / 1_000 - HOUR, titleId, leaderboardId)).toBeDefined();
      }
    });
  });

  it('ends with the present hour', async () => {
    await withSimulator(SMALL, async ({ json, world }) => {
      const { boards } = await json<Feed>(history(NOW_HOUR - HOUR, NOW_SECONDS + DAY));
      expect(boards).toEqual(expectedBoards(world, NOW_HOUR - HOUR, NOW_HOUR));
      expect(await json(history(NOW_HOUR + HOUR, NOW_SECONDS + DAY))).toEqual({ boards: [], next: null });
      expect((await json<Feed>(history(NOW_HOUR - HOUR, NOW_HOUR))).boards).toEqual(
        expectedBoards(world, NOW_HOUR - HOUR, NOW_HOUR - HOUR),
      );
    });
  });

  it('rejects invalid parameters and names the reason', async () => {
    await withSimulator(SMALL, async ({ get }) => {
      const span = `from=${instant(NOW_HOUR - HOUR)}&to=${instant(NOW_HOUR)}`;
      const early = Buffer.from(String(NOW_HOUR / HOUR - 2)).toString('base64url');
      for (const [query, reason] of [
        ['', 'from must be'],
        [`from=${instant(NOW_HOUR)}&to=${instant(NOW_HOUR - 1)}`, 'from must not be after to'],
        [`${span}&cursor=`, 'cursor must be'],
        [`${span}&cursor=abc`, 'cursor must be'],
        [`${span}&cursor=${early}`, 'cursor must be'],
        [`${span}&cursor=a&cursor=b`, 'cursor must be'],
      ]) {
        const response = await get(`/simulator/history/boards?${query}`);
        expect([query, response.status]).toEqual([query, 400]);
        expect(await response.json()).toEqual({ error: expect.stringContaining(reason!) });
      }
    });
  });

  it('can be truncated or rejected by faults', async () => {
    await withSimulator(SMALL, async ({ faults, get }) => {
      await faults({ path: '/simulator/history/boards', kind: 'truncate', ends: 'cleanly', times: 1 });
      const path = history(NOW_HOUR - 2 * DAY, NOW_HOUR);
      const cut = await (await get(path)).text();
      expect(() => JSON.parse(cut) as unknown).toThrow();
      await faults({ path: '/simulator/history', kind: 'status', status: 502, times: 1 });
      expect([(await get(path)).status, (await get(path)).status]).toEqual([502, 200]);
    });
  });
});

/** Expected feed of the hours from `first` to `last`. */
function expectedBoards(world: World, first: number, last: number): FeedBoard[] {
  const passes = Array.from({ length: (last - first) / HOUR + 1 }, (_, index) => first + index * HOUR);
  return passes.flatMap((slot) =>
    (slot === first ? world.boardKeysAt(slot) : world.boardChanges(slot)).map((key) => expectedBoard(world, slot, key)),
  );
}

function expectedBoard(world: World, slot: number, { titleId, id }: BoardKey): FeedBoard {
  const board = world.board(slot, titleId, id);
  return {
    pass: instant(slot),
    titleId,
    leaderboardId: id,
    name: board?.name ?? '',
    board: board === undefined ? null : { isTime: board.isTime, entries: board.entries },
  };
}

async function readAll(
  { get }: RunningSimulator,
  from: number,
  to: number,
): Promise<{ boards: FeedBoard[]; sizes: number[] }> {
  const boards: FeedBoard[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const body = await (await get(history(from, to) + (cursor === '' ? '' : `&cursor=${cursor}`))).text();
    const feed = JSON.parse(body) as Feed;
    boards.push(...feed.boards);
    sizes.push(Buffer.byteLength(body));
    cursor = feed.next;
  }
  return { boards, sizes };
}

function history(from: number, to: number): string {
  return `/simulator/history/boards?from=${instant(from)}&to=${instant(to)}`;
}

import {
  BOARD_PASS_SECONDS,
  DAY_SECONDS,
  formatDate,
  operations,
  type EpochSeconds,
  type OperationAnswer,
} from '@lobbystats/contracts';
import type { Board, BoardKey, World } from '@lobbystats/simulator';
import { getJson } from '@lobbystats/test-kit';
import type { Passes } from './reference-changes.ts';

type BoardAnswer = OperationAnswer<typeof operations.getLeaderboard>;

/** Fails unless a title's leaderboards, each with all its entries in order, and its counts are those of an hour. */
export async function expectBoardsLikeTruth(
  url: string,
  world: World,
  { titleId, pass }: { titleId: string; pass: EpochSeconds },
): Promise<void> {
  const names = world.boardsAt(pass, titleId);
  const { body: list } = await getJson(url + operations.listLeaderboards.path.replace(':titleId', titleId));
  expect((list as { id: number; name: string }[]).map(({ id, name }) => ({ id, name }))).toEqual(names);
  await Promise.all(names.map(({ id }) => expectBoard(url, world, { titleId, id }, pass)));

  const boards = names.map(({ id }) => world.board(pass, titleId, id));
  const entriesOf = (isTime: boolean) =>
    boards.reduce((sum, board) => sum + (board?.isTime === isTime ? board.entries.length : 0), 0);
  const { body: stats } = await getJson(url + operations.getTitleStats.path.replace(':titleId', titleId));
  expect(stats).toMatchObject({
    leaderboard_count: names.length,
    total_entries: entriesOf(true) + entriesOf(false),
    time_entries: entriesOf(true),
    score_entries: entriesOf(false),
  });
}

/** Fails unless boards are as they were at the end of each day whose last pass is among these, and unknown before the first. */
export async function expectPastBoardsLikeTruth(
  url: string,
  world: World,
  boards: readonly BoardKey[],
  passes: Passes,
): Promise<void> {
  const lastPasses: EpochSeconds[] = [];
  const lastOfFirstDay = passes.from - (passes.from % DAY_SECONDS) + DAY_SECONDS - BOARD_PASS_SECONDS;
  for (let pass = lastOfFirstDay; pass < passes.to; pass += DAY_SECONDS) lastPasses.push(pass);
  for (const board of boards) {
    await Promise.all(lastPasses.map((pass) => expectBoard(url, world, board, pass, formatDate(pass))));
    const { status } = await getJson(`${pathOf(url, board)}?at=${formatDate(passes.from - DAY_SECONDS)}`);
    expect([board, status]).toEqual([board, 404]);
  }
}

async function expectBoard(url: string, world: World, key: BoardKey, pass: EpochSeconds, day?: string): Promise<void> {
  const board = world.board(pass, key.titleId, key.id);
  const { status, body } = await getJson<BoardAnswer>(`${pathOf(url, key)}${day === undefined ? '' : `?at=${day}`}`);
  const told = status === 200 ? { ...key, day, ...shownOf(body) } : { ...key, day, status };
  expect(told).toEqual({ ...key, day, ...(board === undefined ? { status: 404 } : truthOf(board)) });
}

function pathOf(url: string, { titleId, id }: BoardKey): string {
  return url + operations.getLeaderboard.path.replace(':titleId', titleId).replace(':leaderboardId', String(id));
}

function shownOf({ name, total, entries }: BoardAnswer) {
  return {
    board: name,
    total,
    entries: entries.map((entry) => `${entry.rank} ${entry.name} ${entry.rating} ${entry.timeMs} ${entry.isTime}`),
  };
}

function truthOf({ name, isTime, entries }: Board) {
  return {
    board: name,
    total: entries.length,
    entries: entries.map((entry) => `${entry.rank} ${entry.name} ${entry.rating} ${entry.timeMs} ${isTime}`),
  };
}

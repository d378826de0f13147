import { ApiError, type BodyOf } from '@lobbystats/client';
import { BOARD_PASS_SECONDS, DAY_SECONDS, formatDate, parseInstant, type EpochSeconds } from '@lobbystats/contracts';
import type { Board, BoardKey, World } from '@lobbystats/simulator';
import type { Passes } from './reference-changes.ts';
import { siteClient } from './site-client.ts';

type BoardResponse = BodyOf<'getLeaderboard'>;

/** Fails unless the leaderboards of a title, their entries and its counts equal those of a pass. */
export async function expectBoards(
  url: string,
  world: World,
  { titleId, pass }: { titleId: string; pass: EpochSeconds },
): Promise<void> {
  const names = world.boardsAt(pass, titleId);
  const client = siteClient(url);
  const list = await client.listLeaderboards({ titleId });
  expect(list.map(({ id, name }) => ({ id, name }))).toEqual(names);
  await Promise.all(names.map(({ id }) => expectBoard(url, world, { titleId, id }, pass)));

  const boards = names.map(({ id }) => world.board(pass, titleId, id));
  const entriesOf = (isTime: boolean) =>
    boards.reduce((sum, board) => sum + (board?.isTime === isTime ? board.entries.length : 0), 0);
  expect(await client.getTitleStats({ titleId })).toMatchObject({
    leaderboard_count: names.length,
    total_entries: entriesOf(true) + entriesOf(false),
    time_entries: entriesOf(true),
    score_entries: entriesOf(false),
  });
}

/**
 * Fails unless each leaderboard of a title was last read from `from` (inclusive) to `to` (exclusive).
 *
 * @param at a day to request: such responses are not cached
 */
export async function expectBoardReadTimes(
  url: string,
  world: World,
  { titleId, pass, from, to }: { titleId: string; pass: EpochSeconds; from: EpochSeconds; to: EpochSeconds },
  at?: string,
): Promise<void> {
  const client = siteClient(url);
  for (const { id } of world.boardsAt(pass, titleId)) {
    const { observed_at: text } = await client.getLeaderboard({ titleId, leaderboardId: id, at });
    const observedAt = parseInstant(text ?? '1970-01-01 00:00:00');
    expect({ titleId, id, text, isWithin: observedAt >= from && observedAt < to }).toEqual({
      ...{ titleId, id, text },
      isWithin: true,
    });
  }
}

/** Fails unless boards equal those at the end of each day whose last pass is included, and are 404 before the first. */
export async function expectPastBoards(
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
    const before = await boardAt(url, board, formatDate(passes.from - DAY_SECONDS));
    expect([board, before]).toEqual([board, { status: 404 }]);
  }
}

async function expectBoard(url: string, world: World, key: BoardKey, pass: EpochSeconds, day?: string): Promise<void> {
  const board = world.board(pass, key.titleId, key.id);
  const served = { ...key, day, ...(await boardAt(url, key, day)) };
  expect(served).toEqual({ ...key, day, ...(board === undefined ? { status: 404 } : expectedBoard(board)) });
}

/** The served board, or the error status. */
async function boardAt(url: string, { titleId, id }: BoardKey, at: string | undefined) {
  try {
    return servedBoard(await siteClient(url).getLeaderboard({ titleId, leaderboardId: id, at }));
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status };
    throw error;
  }
}

function servedBoard({ name, total, entries }: BoardResponse) {
  return {
    board: name,
    total,
    entries: entries.map((entry) => `${entry.rank} ${entry.name} ${entry.rating} ${entry.timeMs} ${entry.isTime}`),
  };
}

function expectedBoard({ name, isTime, entries }: Board) {
  return {
    board: name,
    total: entries.length,
    entries: entries.map((entry) => `${entry.rank} ${entry.name} ${entry.rating} ${entry.timeMs} ${isTime}`),
  };
}

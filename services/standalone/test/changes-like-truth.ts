import {
  BOARD_PASS_SECONDS,
  changeTypes,
  formatTimestamp,
  operations,
  parseInstant,
  type Change,
  type EpochSeconds,
  type OperationAnswer,
} from '@lobbystats/contracts';
import type { BoardKey, World } from '@lobbystats/simulator';
import { getJson } from '@lobbystats/test-kit';
import { everyBoard, referenceChanges, type Passes, type ReferenceChange } from './reference-changes.ts';

type ChangesAnswer = OperationAnswer<typeof operations.listChanges>;

/** Which changes are compared: those of all boards where no title is named. */
export interface ComparedChanges {
  /** The past that the fill brought in. */
  filled: Passes;
  /** An instant of the present hour, in which every board was read. */
  now: EpochSeconds;
  titleId?: string;
}

/**
 * Fails unless the log of changes is the truth: of each board exactly what changed from hour to hour, each once and in order,
 * ids that grow with times, totals that are exact. Behind the filled past a board may have been read in some hours and not in
 * others, as whoever reads was killed: what changed is told then by the hours in which the log has something, and by the present.
 *
 * @returns how many changes there are
 */
export async function expectChangesLikeTruth(url: string, world: World, compared: ComparedChanges): Promise<number> {
  const { filled, now, titleId } = compared;
  const path = titleId === undefined ? operations.listChanges.path : titlesPath(titleId);
  const log = await wholeLog(url + path);
  expect(log).toEqual(log.toSorted((a, b) => a.id - b.id));
  expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
  expect(log.map(({ changedAt }) => changedAt)).toEqual(log.map(({ changedAt }) => changedAt).toSorted());
  for (const type of changeTypes) {
    const { total } = await page(`${url}${path}?limit=1&type=${type}`);
    expect([type, total]).toEqual([type, log.filter((change) => change.type === type).length]);
  }

  const ofBoards = Map.groupBy(log, ({ titleId: ofTitle, leaderboardId }) => `${ofTitle} ${leaderboardId}`);
  const boards = everyBoard(world, { from: filled.from, to: now + 1 }).filter(
    (board) => titleId === undefined || board.titleId === titleId,
  );
  for (const board of boards) {
    const key = `${board.titleId} ${board.id}`;
    expectBoardsLog(world, board, ofBoards.get(key) ?? [], compared);
    ofBoards.delete(key);
  }
  expect([...ofBoards.keys()]).toEqual([]);
  return log.length;
}

function titlesPath(titleId: string): string {
  return operations.listTitleChanges.path.replace(':titleId', titleId);
}

function expectBoardsLog(world: World, board: BoardKey, log: readonly Change[], compared: ComparedChanges): void {
  const { filled, now } = compared;
  const told = log.map((change) => hourly(change, filled));
  const readIn = told.map(({ changedAt }) => parseInstant(changedAt)).filter((pass) => pass >= filled.to);
  const later = [...new Set([...readIn, hourOf(now)])];
  expect(told).toEqual(referenceChanges(world, board, filled, later));
}

/** What is read live has the time at which it was seen: its hour says which pass that was. */
function hourly(
  { id: _, gameName: _game, leaderboardName: _board, ...change }: Change,
  { to }: Passes,
): ReferenceChange {
  const seenAt = parseInstant(change.changedAt);
  return seenAt < to ? change : { ...change, changedAt: formatTimestamp(hourOf(seenAt)) };
}

function hourOf(seconds: EpochSeconds): EpochSeconds {
  return seconds - (seconds % BOARD_PASS_SECONDS);
}

async function page(url: string): Promise<ChangesAnswer> {
  return (await getJson<ChangesAnswer>(url)).body;
}

/** All changes, the oldest first, by the cursor of each page; their number is the total that the first one told. */
async function wholeLog(url: string): Promise<Change[]> {
  const first = await page(`${url}?limit=500`);
  const changes = [...first.changes];
  for (let cursor = first.nextCursor; cursor !== null;) {
    const next = await page(`${url}?limit=500&cursor=${cursor}`);
    changes.push(...next.changes);
    cursor = next.nextCursor;
  }
  expect(changes.length).toBe(first.total);
  return changes.reverse();
}

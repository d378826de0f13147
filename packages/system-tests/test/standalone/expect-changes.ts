import {
  BOARD_PASS_SECONDS,
  changeTypes,
  formatTimestamp,
  operations,
  parseInstant,
  type Change,
  type EpochSeconds,
  type OperationResponse,
} from '@lobbystats/contracts';
import type { BoardKey, World } from '@lobbystats/simulator';
import { getJson } from '@lobbystats/test-kit';
import { everyBoard, referenceChanges, type Passes, type ReferenceChange } from './reference-changes.ts';

type ChangesResponse = OperationResponse<typeof operations.listChanges>;

/** Changes to compare: those of all boards, or of one title. */
export interface ComparedChanges {
  /** The backfilled passes. */
  backfilled: Passes;
  /** A time in the current hour, in which every board was read. */
  now: EpochSeconds;
  titleId?: string;
}

/**
 * Fails unless the change log has each change of each board exactly once and in order, ascending IDs and exact totals.
 * After the backfill, a killed collector may have skipped hours: changes are compared for hours with a change and the current one.
 *
 * @returns how many changes there are
 */
export async function expectChanges(url: string, world: World, compared: ComparedChanges): Promise<number> {
  const { backfilled, now, titleId } = compared;
  const path = titleId === undefined ? operations.listChanges.path : titleChangesPath(titleId);
  const log = await fetchWholeLog(url + path);
  expect(log).toEqual(log.toSorted((a, b) => a.id - b.id));
  expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
  expect(log.map(({ changedAt }) => changedAt)).toEqual(log.map(({ changedAt }) => changedAt).toSorted());
  for (const type of changeTypes) {
    const { total } = await fetchPage(`${url}${path}?limit=1&type=${type}`);
    expect([type, total]).toEqual([type, log.filter((change) => change.type === type).length]);
  }

  const ofBoards = Map.groupBy(log, ({ titleId: ofTitle, leaderboardId }) => `${ofTitle} ${leaderboardId}`);
  const boards = everyBoard(world, { from: backfilled.from, to: now + 1 }).filter(
    (board) => titleId === undefined || board.titleId === titleId,
  );
  for (const board of boards) {
    const key = `${board.titleId} ${board.id}`;
    expectBoardLog(world, board, ofBoards.get(key) ?? [], compared);
    ofBoards.delete(key);
  }
  expect([...ofBoards.keys()]).toEqual([]);
  return log.length;
}

function titleChangesPath(titleId: string): string {
  return operations.listTitleChanges.path.replace(':titleId', titleId);
}

function expectBoardLog(world: World, board: BoardKey, log: readonly Change[], compared: ComparedChanges): void {
  const { backfilled, now } = compared;
  const servedChanges = log.map((change) => withPassTime(change, backfilled));
  const readIn = servedChanges.map(({ changedAt }) => parseInstant(changedAt)).filter((pass) => pass >= backfilled.to);
  const later = [...new Set([...readIn, hourOf(now)])];
  expect(servedChanges).toEqual(referenceChanges(world, board, backfilled, later));
}

/** Replaces the read time of a live change with the time of its pass. */
function withPassTime(
  { id: _, gameName: _game, leaderboardName: _board, ...change }: Change,
  { to }: Passes,
): ReferenceChange {
  const seenAt = parseInstant(change.changedAt);
  return seenAt < to ? change : { ...change, changedAt: formatTimestamp(hourOf(seenAt)) };
}

function hourOf(seconds: EpochSeconds): EpochSeconds {
  return seconds - (seconds % BOARD_PASS_SECONDS);
}

async function fetchPage(url: string): Promise<ChangesResponse> {
  return (await getJson<ChangesResponse>(url)).body;
}

/** Fetches all changes by cursor, oldest first. Fails unless their number equals the total. */
async function fetchWholeLog(url: string): Promise<Change[]> {
  const first = await fetchPage(`${url}?limit=500`);
  const changes = [...first.changes];
  for (let cursor = first.nextCursor; cursor !== null;) {
    const next = await fetchPage(`${url}?limit=500&cursor=${cursor}`);
    changes.push(...next.changes);
    cursor = next.nextCursor;
  }
  expect(changes.length).toBe(first.total);
  return changes.reverse();
}

import { createHash } from 'node:crypto';
import { BOARD_PASS_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { forEachBounded } from '@lobbystats/service-kit/concurrency';
import { boardIdOf, type BoardKey } from '../network/board.ts';
import type { BoardCrawlState, DueBoard } from './board-crawl-state.ts';
import type { ObservationPublisher } from '../network/observation-publisher.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

export const SLOTS_PER_PASS = BOARD_PASS_SECONDS / SLOT_SECONDS;

export function passOf(seconds: number): EpochSeconds {
  return Math.floor(seconds / BOARD_PASS_SECONDS) * BOARD_PASS_SECONDS;
}

export function passEndMs(pass: EpochSeconds): number {
  return (pass + BOARD_PASS_SECONDS) * 1000;
}

function slotIndexInPass(slot: EpochSeconds): number {
  return (slot % BOARD_PASS_SECONDS) / SLOT_SECONDS;
}

/** Spreads boards over twelve groups by a hash of their key. A group is read in one slot of each hour. */
export function groupOf(board: BoardKey): number {
  return hashOf(boardIdOf(board)) % SLOTS_PER_PASS;
}

/**
 * The group that is due in a slot: each hour one slot later. When the rate limit doesn't allow to read all boards within
 * an hour, its last slots are cut, and those are of other boards each hour.
 */
export function groupDueIn(slot: EpochSeconds): number {
  const shift = (passOf(slot) / BOARD_PASS_SECONDS) % SLOTS_PER_PASS;
  return (slotIndexInPass(slot) + SLOTS_PER_PASS - shift) % SLOTS_PER_PASS;
}

/** Another order each hour, so that no board is always the last one of its group. */
function inOrderOfPass<Board extends BoardKey>(boards: readonly Board[], pass: EpochSeconds): Board[] {
  const hashed = boards.map((board) => ({ board, hash: hashOf(`${pass} ${boardIdOf(board)}`) }));
  return hashed.sort((a, b) => a.hash - b.hash).map(({ board }) => board);
}

function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE();
}

const JOB_CONCURRENCY = 32;
/** Retries per slot are limited to this, or to the number of due boards, so that a recovering network is not flooded. */
const MIN_RETRIES_PER_SLOT = 100;

interface DueBoardEnqueuerParts {
  boards: BoardCrawlState;
  backfill: { state(): Promise<{ readonly isDone: boolean } | undefined> };
  publisher: ObservationPublisher;
  telemetry: Telemetry;
}

/**
 * Enqueues the boards due in a slot and those that failed earlier in the pass. None before the backfill of boards is
 * done, since changes must be published in order. Duplicate jobs are published once.
 */
export function createDueBoardEnqueuer({ boards, backfill, publisher, telemetry }: DueBoardEnqueuerParts) {
  let isFilled = false;
  let last: EpochSeconds | undefined;
  return async (slot: EpochSeconds): Promise<void> => {
    isFilled ||= (await backfill.state())?.isDone === true;
    if (!isFilled) return;
    const pass = passOf(slot);
    // Those of slots in which the network did not answer too.
    const all: DueBoard[] = [];
    for (let at = Math.max(pass, (last ?? slot - SLOT_SECONDS) + SLOT_SECONDS); at <= slot; at += SLOT_SECONDS)
      all.push(...(await boards.due(groupDueIn(at))));
    const due = inOrderOfPass(all, pass);
    const retries = (await boards.pendingRetries(pass)).slice(0, Math.max(due.length, MIN_RETRIES_PER_SLOT));
    const boardsById = new Map<string, DueBoard>();
    for (const board of [...due, ...retries]) boardsById.set(boardIdOf(board), board);
    await forEachBounded(boardsById.values(), JOB_CONCURRENCY, (board) =>
      publisher.enqueueBoard({ pass, ...board }, passEndMs(pass)),
    );
    last = slot;
    telemetry.boardsEnqueued(boardsById.size);
  };
}

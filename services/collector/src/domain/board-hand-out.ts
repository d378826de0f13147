import type { EpochSeconds } from '@lobbystats/contracts';
import { boardIdOf } from './board.ts';
import { forEachBounded } from './bounded.ts';
import type { BoardFillStore } from './board-fill-store.ts';
import type { BoardMemory, DueBoard } from './board-memory.ts';
import { passEndMs, passOf, turnIn } from './board-schedule.ts';
import type { Outlet } from './outlet.ts';
import type { Telemetry } from './telemetry.ts';

const JOBS_AT_ONCE = 32;
/** Retries get at least this many places, so that a network that recovers is not hit by all at once. */
const OWED_AT_LEAST = 100;

export interface BoardHandOutParts {
  boards: BoardMemory;
  fill: BoardFillStore;
  outlet: Outlet;
  telemetry: Telemetry;
}

/**
 * Enqueues the boards due in a slot and those that failed earlier in the pass. None before the backfill of boards is
 * done, since changes must be published in order. Duplicate jobs are published once.
 */
export function createBoardHandOut({ boards, fill, outlet, telemetry }: BoardHandOutParts) {
  let isFilled = false;
  return async (slot: EpochSeconds): Promise<void> => {
    isFilled ||= (await fill.state())?.isDone === true;
    if (!isFilled) return;
    const pass = passOf(slot);
    const due = await boards.due(turnIn(slot));
    const owed = (await boards.owed(pass)).slice(0, Math.max(due.length, OWED_AT_LEAST));
    const wanted = new Map<string, DueBoard>();
    for (const board of [...due, ...owed]) wanted.set(boardIdOf(board), board);
    await forEachBounded(wanted.values(), JOBS_AT_ONCE, (board) =>
      outlet.wantBoard({ pass, ...board }, passEndMs(pass)),
    );
    telemetry.boardsWanted(wanted.size);
  };
}

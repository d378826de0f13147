import type { EpochSeconds } from '@lobbystats/contracts';
import { boardIdOf } from './board.ts';
import { forEachBounded } from './bounded.ts';
import type { BoardFillStore } from './board-fill-store.ts';
import type { BoardMemory, DueBoard } from './board-memory.ts';
import { passEndMs, passOf, turnIn } from './board-schedule.ts';
import type { Outlet } from './outlet.ts';
import type { Telemetry } from './telemetry.ts';

/** Jobs that are published side by side, at most. */
const JOBS_AT_ONCE = 32;
/** As many that are owed as are due, but for so many: a network that comes back is not met by all at once. */
const OWED_AT_LEAST = 100;

export interface BoardHandOutParts {
  boards: BoardMemory;
  fill: BoardFillStore;
  outlet: Outlet;
  telemetry: Telemetry;
}

/**
 * Hands out a slot's boards, by whoever opens the slot: those whose turn it is, and those that couldn't be had earlier in
 * the pass. None before the boards' past is brought in: what comes first must be said first. A board that is handed out
 * twice is said once.
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

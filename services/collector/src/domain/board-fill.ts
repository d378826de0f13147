import { BOARD_PASS_SECONDS, DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import type { PastBoard, BoardHistory, BoardHistoryPart } from './board-history.ts';
import { boardIdOf } from './board.ts';
import { boardDigest } from './board-digest.ts';
import type { BoardFillRange, BoardFillState, BoardFillStep, BoardFillStore, PastMemo } from './board-fill-store.ts';
import { passOf } from './board-schedule.ts';
import { forEachBounded } from './bounded.ts';
import { fillStepByStep, leaseKeeper, takeOrWatch, type FillingParts } from './fill-steps.ts';
import type { Outlet } from './outlet.ts';
import { PageFailure } from './page-failures.ts';
import type { BoardFillProgress } from './telemetry.ts';

const BOARDS_AT_ONCE = 32;

export interface BoardFillParts extends FillingParts {
  store: BoardFillStore;
  history: BoardHistory | undefined;
  outlet: Outlet;
}

export function boardFillRange(now: EpochSeconds, days: number): BoardFillRange {
  const toPass = passOf(now);
  return { fromPass: toPass - days * DAY_SECONDS, toPass };
}

/**
 * Publishes past passes in order, marked `past`. Progress is stored after each part, so a killed backfill resumes and
 * the first live pass publishes only later changes. Boards that no message can carry are skipped and counted. Resolves
 * when done or stopped.
 */
export async function fillBoards(range: BoardFillRange, parts: BoardFillParts): Promise<void> {
  const { store, telemetry } = parts;
  await fillStepByStep(parts, 'the boards’ past could not be brought in yet', async () => {
    const state = await store.begin(range);
    telemetry.boardFillProgressed(progressOf(state));
    if (!state.isDone) await fillNext(parts);
    return state.isDone;
  });
}

function progressOf({ fromPass, toPass, reached, isDone }: BoardFillState): BoardFillProgress {
  const totalPasses = (toPass - fromPass) / BOARD_PASS_SECONDS;
  return { donePasses: isDone ? totalPasses : (reached - fromPass) / BOARD_PASS_SECONDS, totalPasses, done: isDone };
}

async function fillNext(parts: BoardFillParts): Promise<void> {
  const { store, history } = parts;
  if (!(await takeOrWatch(parts))) return;
  const state = await store.state();
  if (state === undefined || state.isDone) return;
  const { fromPass, toPass, cursor } = state;
  const isEmpty = fromPass >= toPass || history === undefined;
  const part = (isEmpty ? undefined : await history.part(fromPass, toPass, cursor)) ?? NOTHING;
  const unsaid = await sayInOrder(part.boards, parts);
  await store.advance(cursor, stepOf(state, part, unsaid));
}

const NOTHING: BoardHistoryPart = { boards: [], next: null };

async function sayInOrder(boards: readonly PastBoard[], parts: BoardFillParts): Promise<ReadonlySet<PastBoard>> {
  const { outlet, telemetry } = parts;
  const unsaid = new Set<PastBoard>();
  const keepLease = leaseKeeper(parts);
  for (const [pass, ofPass] of Map.groupBy(boards, (board) => board.pass)) {
    await forEachBounded(ofPass, BOARDS_AT_ONCE, async (board) => {
      await keepLease();
      await outlet.board({ ...board, seenAt: pass }, { past: true }).catch((error: unknown) => {
        if (!hasCode(error, 'invalid')) throw error;
        unsaid.add(board);
        const { titleId, leaderboardId } = board;
        const failure = new PageFailure('unsayable', `No message can say it: ${error.message}`, { cause: error });
        telemetry.boardFailed({ titleId, leaderboardId }, failure);
      });
    });
  }
  return unsaid;
}

function stepOf(
  { reached }: BoardFillState,
  { boards, next }: BoardHistoryPart,
  unsaid: ReadonlySet<PastBoard>,
): BoardFillStep {
  const said = new Map<string, PastMemo>();
  for (const past of boards) {
    if (unsaid.has(past)) continue;
    const { titleId, leaderboardId, name, pass, board } = past;
    const digest = board === null ? null : boardDigest(name, board);
    said.set(boardIdOf(past), { titleId, leaderboardId, name, pass, digest });
  }
  return { next, reached: boards.at(-1)?.pass ?? reached, said: [...said.values()] };
}

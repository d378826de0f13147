import { BOARD_PASS_SECONDS, DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import type { PastBoard, BoardHistory, BoardHistoryPart } from './board-history.ts';
import { boardIdOf } from './board.ts';
import { boardDigest } from './board-digest.ts';
import type { BoardFillRange, BoardFillState, BoardFillStep, BoardFillStore, PastMemo } from './board-fill-store.ts';
import { passOf } from './board-schedule.ts';
import { forEachBounded } from './bounded.ts';
import type { Leases } from './lease.ts';
import type { Outlet } from './outlet.ts';
import { PageFailure } from './page-failures.ts';
import type { BoardFillProgress, Telemetry } from './telemetry.ts';
import type { Backoff, Time } from './time.ts';

/** Boards of one pass that are published side by side, at most. */
const BOARDS_AT_ONCE = 32;
/** How often to look whether another replica has left the fill unfinished, in milliseconds. */
const WATCH_MS = 10_000;
/** A slow machine may take longer for a part than a lease lasts. */
const RENEW_MS = 5000;

export interface BoardFillParts {
  store: BoardFillStore;
  /** Undefined for a network that doesn't tell its past. */
  history: BoardHistory | undefined;
  outlet: Outlet;
  telemetry: Telemetry;
  time: Time;
  leases: Leases;
  backoff: Backoff;
  stopping: AbortSignal;
}

/** The passes of so many days before the present one, which is read live. */
export function boardFillRange(now: EpochSeconds, days: number): BoardFillRange {
  const toPass = passOf(now);
  return { fromPass: toPass - days * DAY_SECONDS, toPass };
}

/**
 * Brings in the boards' past of a first start as ordinary observations, marked as past: pass by pass, so that changes come in
 * the order in which they were made. What is done is kept after each part together with what was said in it: a killed fill goes
 * on with the part that it was in, and the first live pass says only what has changed since. What no message can say is left
 * out and counted: that board stays as it was before.
 *
 * Resolves when the fill is done, by this replica or another, or the service stops.
 */
export async function fillBoards(range: BoardFillRange, parts: BoardFillParts): Promise<void> {
  const { store, telemetry, time, leases, backoff, stopping } = parts;
  const isStopping = () => stopping.aborted;
  let failures = 0;
  for (let done = false; !done && !isStopping();) {
    try {
      const state = await store.begin(range);
      telemetry.boardFillProgressed(progressOf(state));
      done = state.isDone;
      if (!done) await fillNext(parts);
      failures = 0;
    } catch (error) {
      if (isStopping()) break;
      failures += 1;
      telemetry.fault('the boards’ past could not be brought in yet', error);
      await time.sleep(backoff(failures), stopping);
    }
  }
  await store
    .release(leases().holder)
    .catch((error: unknown) => telemetry.fault('a lease stays until it is over', error));
}

function progressOf({ fromPass, toPass, reached, isDone }: BoardFillState): BoardFillProgress {
  const totalPasses = (toPass - fromPass) / BOARD_PASS_SECONDS;
  return { donePasses: isDone ? totalPasses : (reached - fromPass) / BOARD_PASS_SECONDS, totalPasses, done: isDone };
}

/** The next part, or a look at the replica that brings it. */
async function fillNext({ store, history, ...parts }: BoardFillParts): Promise<void> {
  const { time, leases, stopping } = parts;
  if (!(await store.take(leases()))) {
    await time.sleep(WATCH_MS, stopping);
    return;
  }
  // Whoever had the lease before may have gone on.
  const state = await store.state();
  if (state === undefined || state.isDone) return;
  const { fromPass, toPass, cursor } = state;
  const isEmpty = fromPass >= toPass || history === undefined;
  const part = (isEmpty ? undefined : await history.part(fromPass, toPass, cursor)) ?? NOTHING;
  const unsaid = await sayInOrder(part.boards, { ...parts, store });
  await store.advance(cursor, stepOf(state, part, unsaid));
}

const NOTHING: BoardHistoryPart = { boards: [], next: null };

/** Resolves with those that no message can say. */
async function sayInOrder(
  boards: readonly PastBoard[],
  { store, outlet, telemetry, time, leases, stopping }: Omit<BoardFillParts, 'history'>,
): Promise<ReadonlySet<PastBoard>> {
  const unsaid = new Set<PastBoard>();
  let renewedMs = time.now();
  for (const [pass, ofPass] of Map.groupBy(boards, (board) => board.pass)) {
    await forEachBounded(ofPass, BOARDS_AT_ONCE, async (board) => {
      stopping.throwIfAborted();
      if (time.now() - renewedMs > RENEW_MS) {
        renewedMs = time.now();
        await store.take(leases());
      }
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

/** A board may have changed twice in a part: the last of it counts. */
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

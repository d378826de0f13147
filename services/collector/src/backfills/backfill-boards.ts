import { forEachBounded } from '@lobbystats/service-kit/concurrency';
import { BOARD_PASS_SECONDS, DAY_SECONDS, type EpochSeconds, type BackfillPart } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import type { PastBoard, BoardHistory, BoardHistoryPart } from '../network/history.ts';
import { boardIdOf, boardDigest } from '../network/board.ts';
import type {
  BoardBackfillRange,
  BoardBackfillState,
  BoardBackfillStep,
  BoardBackfillStore,
  BackfilledBoard,
} from './backfill-store.ts';
import { passOf } from '../boards/board-schedule.ts';
import { runBackfillSteps, type BackfillParts } from './run-backfill-steps.ts';
import { PageFailure } from '../network/page-failures.ts';
import type { BoardBackfillProgress } from '../telemetry/telemetry.ts';

const BOARD_CONCURRENCY = 32;

type BoardBackfillParts = BackfillParts<BoardBackfillStore, BoardHistory>;

export function boardBackfillRange(now: EpochSeconds, days: number): BoardBackfillRange {
  const toPass = passOf(now);
  return { fromPass: toPass - days * DAY_SECONDS, toPass };
}

/**
 * Publishes past passes in order, marked `past`, and then confirms the boards as of the last pass, since the history
 * has only changed ones. Progress is stored after each part, so a killed backfill resumes and
 * the first live pass publishes only later changes. Boards that no message can carry are skipped and counted. Resolves
 * to its progress when done or stopped.
 */
export async function backfillBoards(
  range: BoardBackfillRange,
  parts: BoardBackfillParts,
): Promise<BackfillPart | undefined> {
  const { store, telemetry, history, publisher, time } = parts;
  let reached: BackfillPart | undefined;
  await runBackfillSteps(parts, 'leaderboard backfill step failed, retrying', async () => {
    const state = await store.begin(range);
    const progress = progressOf(state);
    if (history !== undefined)
      reached = { part: 'leaderboards', done: progress.donePasses, total: progress.totalPasses };
    telemetry.boardBackfillProgressed(progress);
    if (state.isDone) return true;
    if (reached !== undefined) await publisher.publishProgress(reached, Math.floor(time.now() / 1000));
    await backfillNextPart(parts);
    return false;
  });
  return reached;
}

function progressOf({ fromPass, toPass, reached, isDone }: BoardBackfillState): BoardBackfillProgress {
  const totalPasses = (toPass - fromPass) / BOARD_PASS_SECONDS;
  return { donePasses: isDone ? totalPasses : (reached - fromPass) / BOARD_PASS_SECONDS, totalPasses, done: isDone };
}

async function backfillNextPart(parts: BoardBackfillParts): Promise<void> {
  const { store, history } = parts;
  const state = await store.state();
  if (state === undefined || state.isDone) return;
  const { fromPass, toPass, cursor } = state;
  const isEmpty = fromPass >= toPass || history === undefined;
  const part = (isEmpty ? undefined : await history.part(fromPass, toPass, cursor)) ?? EMPTY_PART;
  const unsaid = await publishInOrder(part.boards, parts);
  const step = stepOf(state, part, unsaid);
  if (step.next === null) await confirmBoards(step, toPass - BOARD_PASS_SECONDS, parts);
  await store.advance(cursor, step);
}

/** Before the backfill is marked as done: a killed one confirms again. */
async function confirmBoards(
  { published }: BoardBackfillStep,
  seenAt: EpochSeconds,
  parts: BoardBackfillParts,
): Promise<void> {
  const { store, publisher } = parts;
  const boards = new Map([...(await store.published()), ...published].map((board) => [boardIdOf(board), board]));
  await forEachBounded(boards.values(), BOARD_CONCURRENCY, async ({ titleId, leaderboardId, pass, digest }) => {
    if (digest === null || pass >= seenAt) return;
    parts.stopping.throwIfAborted();
    await publisher.confirmBoard({ titleId, leaderboardId, pass, seenAt }, { past: true });
  });
}

const EMPTY_PART: BoardHistoryPart = { boards: [], next: null };

async function publishInOrder(
  boards: readonly PastBoard[],
  parts: BoardBackfillParts,
): Promise<ReadonlySet<PastBoard>> {
  const { publisher, telemetry } = parts;
  const unsaid = new Set<PastBoard>();
  for (const [pass, ofPass] of Map.groupBy(boards, (board) => board.pass)) {
    await forEachBounded(ofPass, BOARD_CONCURRENCY, async (board) => {
      parts.stopping.throwIfAborted();
      await publisher.publishBoard({ ...board, seenAt: pass }, { past: true }).catch((error: unknown) => {
        if (!hasCode(error, 'invalid')) throw error;
        unsaid.add(board);
        const { titleId, leaderboardId } = board;
        const failure = new PageFailure('unpublishable', `The board is invalid for a message: ${error.message}`, {
          cause: error,
        });
        telemetry.boardFailed({ titleId, leaderboardId }, failure);
      });
    });
  }
  return unsaid;
}

function stepOf(
  { reached }: BoardBackfillState,
  { boards, next }: BoardHistoryPart,
  unsaid: ReadonlySet<PastBoard>,
): BoardBackfillStep {
  const publishedBoards = new Map<string, BackfilledBoard>();
  for (const past of boards) {
    if (unsaid.has(past)) continue;
    const { titleId, leaderboardId, name, pass, board } = past;
    const digest = board === null ? null : boardDigest(name, board);
    publishedBoards.set(boardIdOf(past), { titleId, leaderboardId, name, pass, digest });
  }
  return { next, reached: boards.at(-1)?.pass ?? reached, published: [...publishedBoards.values()] };
}

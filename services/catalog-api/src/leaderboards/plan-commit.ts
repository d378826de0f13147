import { applyBoard, type KnownBoard } from './apply-board.ts';
import { boardId } from './board.ts';
import type { BoardObservation } from './board-observation.ts';
import type { BoardCommit, BoardWrite, ChangeLog, StoredChange } from './board-store.ts';

export interface BoardCommitPlan {
  readonly boards: readonly BoardWrite[];
  readonly seen: NonNullable<BoardCommit['seen']>;
  readonly changes: readonly StoredChange[];
  /** The last change's id and time afterwards. */
  readonly lastId: number;
  readonly lastChangedAt: number;
}

/** Computes a commit from one observation of each board at most. Ids continue the log's; times never go back. */
export function planCommit(
  log: ChangeLog,
  known: ReadonlyMap<string, KnownBoard>,
  observations: readonly BoardObservation[],
): BoardCommitPlan {
  const boards: BoardWrite[] = [];
  const seen: NonNullable<BoardCommit['seen']>[number][] = [];
  const changes: StoredChange[] = [];
  let { lastId, lastChangedAt } = log;
  for (const observation of observations) {
    const { titleId, leaderboardId, pass, seenAt } = observation;
    const outcome = applyBoard(known.get(boardId(observation)), observation, Math.max(seenAt, lastChangedAt));
    if (outcome.kind === 'seen') seen.push({ titleId, leaderboardId, pass, seenAt });
    if (outcome.kind !== 'written') continue;
    const { isTime, changedAt } = outcome.write.state;
    boards.push(outcome.write);
    for (const change of outcome.changes) {
      lastId += 1;
      lastChangedAt = changedAt;
      changes.push({ id: lastId, titleId, leaderboardId, isTime, ...change, changedAt });
    }
  }
  return { boards, seen, changes, lastId, lastChangedAt };
}

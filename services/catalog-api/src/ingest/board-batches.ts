import { boardId, type BoardObservation } from '../boards/board.ts';

/**
 * Batches by pass, with at most one observation of a board each, so that the last version of every day is committed.
 * Duplicates of one board and pass are dropped.
 */
export function splitIntoBatches(
  observations: readonly BoardObservation[],
  rowsPerBatch: number,
): BoardObservation[][] {
  const steps: BoardObservation[][] = [];
  let step: BoardObservation[] = [];
  let boards = new Set<string>();
  let rows = 0;
  for (const observation of withoutDuplicates(observations).sort(byPassAndTime)) {
    const size = observation.board?.entries.length ?? 0;
    const id = boardId(observation);
    if (steps.length === 0 || boards.has(id) || rows + size > rowsPerBatch) {
      step = [];
      steps.push(step);
      boards = new Set();
      rows = 0;
    }
    step.push(observation);
    boards.add(id);
    rows += size;
  }
  return steps;
}

/**
 * After the first failure, other boards continue, so that one oversized board blocks nothing. A second failure rejects
 * at once: the store is down.
 */
export async function applyBatches(
  steps: readonly (readonly BoardObservation[])[],
  take: (step: readonly BoardObservation[]) => Promise<void>,
): Promise<void> {
  let failed: { boards: ReadonlySet<string>; error: unknown } | undefined;
  for (const step of steps) {
    const others = step.filter((observation) => failed?.boards.has(boardId(observation)) !== true);
    if (others.length === 0) continue;
    try {
      await take(others);
    } catch (error) {
      if (failed !== undefined) throw error;
      failed = { boards: new Set(others.map(boardId)), error };
    }
  }
  if (failed !== undefined) throw failed.error;
}

function withoutDuplicates(observations: readonly BoardObservation[]): BoardObservation[] {
  const first = new Map<string, BoardObservation>();
  for (const observation of observations) {
    const id = `${observation.pass} ${boardId(observation)}`;
    if (!first.has(id)) first.set(id, observation);
  }
  return [...first.values()];
}

function byPassAndTime(a: BoardObservation, b: BoardObservation): number {
  return (
    a.pass - b.pass ||
    a.seenAt - b.seenAt ||
    (a.titleId === b.titleId ? a.leaderboardId - b.leaderboardId : a.titleId < b.titleId ? -1 : 1)
  );
}

import { boardId } from './board.ts';
import type { BoardObservation } from './board-observation.ts';

/** Rows that are written with one commit, about: a commit of very many would hold up all that reads meanwhile. */
const ROWS_PER_COMMIT = 6000;

/**
 * Observations in the steps in which they are taken in, by pass. A step has one of each board at most: so that every day's
 * last version is one that was committed. Of several of one board and pass the first is taken, as it would be if each came
 * alone.
 */
export function boardSteps(observations: readonly BoardObservation[]): BoardObservation[][] {
  const steps: BoardObservation[][] = [];
  let step: BoardObservation[] = [];
  let boards = new Set<string>();
  let rows = 0;
  for (const observation of firstOfEach(observations).sort(inOrder)) {
    const size = observation.board?.entries.length ?? 0;
    const id = boardId(observation);
    if (steps.length === 0 || boards.has(id) || rows + size > ROWS_PER_COMMIT) {
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
 * Takes step after step. A first one that fails holds up no other boards: a board may be more than a store takes in within its
 * time, and would else be in their way whenever they come again. What follows of its own boards waits with it. When a second
 * step fails it is the store: nothing more is tried.
 *
 * Rejects as the step that failed.
 */
export async function takeSteps(
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

function firstOfEach(observations: readonly BoardObservation[]): BoardObservation[] {
  const first = new Map<string, BoardObservation>();
  for (const observation of observations) {
    const id = `${observation.pass} ${boardId(observation)}`;
    if (!first.has(id)) first.set(id, observation);
  }
  return [...first.values()];
}

/** By pass; in a pass as they were seen, so that times grow with ids. */
function inOrder(a: BoardObservation, b: BoardObservation): number {
  return (
    a.pass - b.pass ||
    a.seenAt - b.seenAt ||
    (a.titleId === b.titleId ? a.leaderboardId - b.leaderboardId : a.titleId < b.titleId ? -1 : 1)
  );
}

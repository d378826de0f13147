/** How long a turn of the event loop may begin answers, in milliseconds: whoever is refused waits for the turn's end. */
const BUDGET_MS = 10;

/** By `performance.now`; undefined: nothing has been begun in this turn. */
let beganMs: number | undefined;

/**
 * Begins an answer, in this turn if it has time left, else in one of the next, after those that wait already. What is read in between
 * is not kept waiting by all that has been let in.
 */
export function withinTurnBudget(begin: () => void): void {
  const nowMs = performance.now();
  if (beganMs === undefined) {
    beganMs = nowMs;
    setImmediate(() => {
      beganMs = undefined;
    });
  }
  if (nowMs - beganMs < BUDGET_MS) begin();
  else setImmediate(withinTurnBudget, begin);
}

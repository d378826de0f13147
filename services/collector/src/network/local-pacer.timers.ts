import type { Pacer } from './pacer.ts';

const WINDOW_MS = 1000;
/** Limit of the catch-up after late timers, so that a process that was paused sends no burst. */
const MAX_CATCH_UP_MS = 250;

/**
 * Spreads the requests of one process evenly over the second: no second, wherever it begins, has more than `perSecond`,
 * which may change and be a fraction.
 * p-queue's own intervals add up the lateness of timers and stand still when the wall clock is set back (ADR 0053).
 */
export function localPacer(perSecond: () => number): Pacer {
  /** The latest start times, ascending. */
  let starts: number[] = [];
  let dueMs = 0;

  return {
    async next({ isNeeded, busySinceMs }) {
      if (!isNeeded()) return false;
      const stepMs = WINDOW_MS / perSecond();
      const count = Math.max(1, Math.floor(perSecond()));
      const nextMs = Math.max(dueMs, busySinceMs, performance.now() - MAX_CATCH_UP_MS);
      const startMs = Math.max(nextMs, (starts.at(-count) ?? Number.NEGATIVE_INFINITY) + count * stepMs);
      // A timer may be early by a part of a millisecond. The global setTimeout follows the fake timers of tests.
      for (let waitMs = startMs - performance.now(); waitMs > 0; waitMs = startMs - performance.now()) {
        await new Promise((resolve) => setTimeout(resolve, Math.ceil(waitMs)));
      }
      if (!isNeeded()) return false;
      starts.push(performance.now());
      if (starts.length > 2 * count) starts = starts.slice(-count);
      dueMs = nextMs + stepMs;
      return true;
    },
    announceQuiet: () => undefined,
    quietMs: () => 0,
  };
}

import type { Pacer } from './request-queue.ts';

const WINDOW_MS = 1000;
/** Limit of the catch-up after late timers, so that a process that was paused sends no burst. */
const MAX_CATCH_UP_MS = 250;
/** Interval of checks whether the request is still needed. */
const CHECK_MS = 1000;

/**
 * Spreads requests evenly: no second, wherever it begins, has more than `perSecond`, which may change and be a fraction.
 * p-queue's own intervals add up the lateness of timers and stand still when the wall clock is set back (ADR 0053).
 *
 * @param marginMs by so much the ways of requests to the network may differ
 */
export function localPacer(perSecond: () => number, marginMs = 0): Pacer {
  let sentMs: number[] = [];
  let dueMs = 0;

  return {
    async next(isNeeded, busySinceMs) {
      const stepMs = (WINDOW_MS + marginMs) / perSecond();
      const count = Math.max(1, Math.floor(perSecond()));
      const nextMs = Math.max(dueMs, busySinceMs, performance.now() - MAX_CATCH_UP_MS);
      while (isNeeded()) {
        const nowMs = performance.now();
        sentMs = sentMs.slice(-count);
        const freeMs = sentMs.length < count ? nowMs : Number(sentMs[0]) + count * stepMs;
        const waitMs = Math.max(nextMs, freeMs) - nowMs;
        if (waitMs <= 0) {
          dueMs = nextMs + stepMs;
          sentMs.push(nowMs);
          return true;
        }
        await pause(Math.min(Math.ceil(waitMs), CHECK_MS));
      }
      return false;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

import type { Pacer, Permit } from './pacer.ts';

const WINDOW_MS = 1000;
/** Limit of the catch-up after late timers, so that a process that was paused sends no burst. */
const MAX_CATCH_UP_MS = 250;
/** Interval of checks whether the request is still needed. */
const CHECK_MS = 1000;

interface Sending {
  /** Infinite while it is unknown whether another replica has sent it. */
  sentMs: number;
}

/**
 * Spreads requests evenly: no second, wherever it begins, has more than `perSecond`, which may change and be a fraction.
 * p-queue's own intervals add up the lateness of timers and stand still when the wall clock is set back (ADR 0053).
 */
export function localPacer(perSecond: () => number): Pacer {
  let sendings: Sending[] = [];
  let dueMs = 0;
  let wake = (): void => undefined;

  return {
    async next(isNeeded, busySinceMs) {
      const stepMs = WINDOW_MS / perSecond();
      const count = Math.max(1, Math.floor(perSecond()));
      const nextMs = Math.max(dueMs, busySinceMs, performance.now() - MAX_CATCH_UP_MS);
      while (isNeeded()) {
        const nowMs = performance.now();
        sendings = sendings.filter(({ sentMs }) => sentMs + count * stepMs > nowMs);
        const isFull = sendings.length >= count;
        const freeMs = isFull ? Math.min(...sendings.map(({ sentMs }) => sentMs)) + count * stepMs : nowMs;
        const waitMs = Math.max(nextMs, freeMs) - nowMs;
        if (waitMs <= 0) {
          dueMs = nextMs + stepMs;
          return permit();
        }
        await pause(Math.min(Math.ceil(waitMs), CHECK_MS), isFull);
      }
      return undefined;
    },
  };

  function permit(): Permit {
    const sending = { sentMs: Number.POSITIVE_INFINITY };
    sendings.push(sending);
    return {
      sent() {
        if (sending.sentMs === Number.POSITIVE_INFINITY) sending.sentMs = performance.now();
        wake();
      },
    };
  }

  /** @param endsEarly when a request was sent */
  function pause(ms: number, endsEarly: boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        if (!endsEarly) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

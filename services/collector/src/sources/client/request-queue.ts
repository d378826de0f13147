import PQueue from 'p-queue';

/** `first` for rare requests, `last` for requests that can wait. */
export type Urgency = 'first' | 'usual' | 'last';

const PRIORITIES: Readonly<Record<Urgency, number>> = { first: 1, usual: 0, last: -1 };

/** Timers may be late, and ways to the network may differ, by this time. A process that was paused catches up with no more. */
const MARGIN_MS = 50;
const WINDOW_MS = 1000 + MARGIN_MS;
/** Interval of checks whether the request is still needed. */
const CHECK_MS = 1000;

export interface RequestQueue {
  /** Resolves with true when the request may be sent at once, with false once it isn't needed or the signal aborts. */
  turn(urgency: Urgency, isNeeded: () => boolean): Promise<boolean>;
}

export interface RequestQueueOptions {
  /** May change and be a fraction. */
  perSecond: () => number;
  signal: AbortSignal;
  /** Resolves when a request can be sent. */
  ready?: () => Promise<void>;
  /** Receives the number of waiting requests whenever it changes. */
  onWaiting?: (count: number) => void;
}

/**
 * Lets waiting requests go in the order of their urgency and arrival, evenly: no second, wherever it begins, has more than
 * `perSecond`. p-queue's own intervals add up the lateness of timers and stand still when the wall clock is set back (ADR 0053).
 */
export function requestQueue(options: RequestQueueOptions): RequestQueue {
  const { perSecond, signal, ready = () => Promise.resolve(), onWaiting = () => undefined } = options;
  const turns = new PQueue({ concurrency: 1 });
  const waiting = () => turns.size + turns.pending;
  let busySinceMs = 0;
  let dueMs = 0;

  return {
    async turn(urgency, isNeeded) {
      if (waiting() === 0) busySinceMs = performance.now();
      const turn = turns.add(() => next(isNeeded), { priority: PRIORITIES[urgency], signal }).catch(() => false);
      onWaiting(waiting());
      return turn.finally(() => onWaiting(waiting()));
    },
  };

  async function next(isNeeded: () => boolean): Promise<boolean> {
    await ready();
    while (!signal.aborted && isNeeded()) {
      const nowMs = performance.now();
      const nextMs = Math.max(dueMs, busySinceMs, nowMs - MARGIN_MS);
      if (nextMs <= nowMs) {
        dueMs = nextMs + WINDOW_MS / perSecond();
        return true;
      }
      await pause(Math.min(Math.ceil(nextMs - nowMs), CHECK_MS));
    }
    return false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

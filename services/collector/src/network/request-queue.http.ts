import PQueue from 'p-queue';

/** `first` for rare requests, `last` for requests that can wait. */
export type Urgency = 'first' | 'usual' | 'last';

export const PRIORITIES: Readonly<Record<Urgency, number>> = { first: 1, usual: 0, last: -1 };

const WINDOW_MS = 1000;
/** Limit of the catch-up after late timers, so that a process that was paused sends no burst. */
const MAX_CATCH_UP_MS = 250;

interface RequestOptions {
  /** Higher priorities first. Default: 0. */
  priority?: number;
  signal?: AbortSignal;
}

export interface RequestQueue {
  /** Resolves with the result of the task. Rejects once the signal aborts, or with the task's error. */
  add<Result>(task: () => Result, options?: RequestOptions): Promise<Result>;
}

/**
 * A queue that spreads requests evenly over the second: no second, wherever it begins, has more than `perSecond`.
 * p-queue's own intervals add up the lateness of timers and stand still when the wall clock is set back (ADR 0053).
 */
export function requestQueue(perSecond: number): RequestQueue {
  const queue = new PQueue({ concurrency: 1 });
  const stepMs = WINDOW_MS / perSecond;
  /** Ring buffer of the latest `perSecond` start times. */
  const starts = new Array<number>(perSecond).fill(Number.NEGATIVE_INFINITY);
  let index = 0;
  let dueMs = 0;

  return {
    add(task, { priority = 0, signal } = {}) {
      const isIdle = queue.size + queue.pending === 0;
      if (isIdle) dueMs = Math.max(dueMs, performance.now());
      const paced = async () => {
        await nextStart();
        return task();
      };
      return queue.add(paced, signal ? { priority, signal } : { priority });
    },
  };

  async function nextStart(): Promise<void> {
    dueMs = Math.max(dueMs, performance.now() - MAX_CATCH_UP_MS);
    const startMs = Math.max(dueMs, (starts[index] ?? 0) + WINDOW_MS);
    // A timer may be early by a part of a millisecond. The global setTimeout follows the fake timers of tests.
    for (let waitMs = startMs - performance.now(); waitMs > 0; waitMs = startMs - performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(waitMs)));
    }
    starts[index] = performance.now();
    index = (index + 1) % perSecond;
    dueMs += stepMs;
  }
}

import PQueue from 'p-queue';

export interface SemaphoreOptions {
  permits: number;
  /** How long work waits for a permit, in milliseconds. */
  waitMs: number;
  /** Resolves after the time, or once the signal aborts. Never rejects. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The error of work that got no permit in time. */
  createError: () => Error;
}

export interface Semaphore {
  /** Runs work with a permit. Rejects when there is none in time. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Permits in use. */
  readonly running: number;
  /** Pieces of work that wait for a permit. */
  readonly waiting: number;
}

export function createSemaphore({ permits, waitMs, sleep, createError }: SemaphoreOptions): Semaphore {
  const queue = new PQueue({ concurrency: permits });
  return {
    get running() {
      return queue.pending;
    },
    get waiting() {
      return queue.size;
    },
    run(work) {
      const started = new AbortController();
      const late = new AbortController();
      const permitted = queue.add(
        () => {
          started.abort();
          return work();
        },
        { signal: late.signal },
      );
      void sleep(waitMs, started.signal).then(() => {
        if (!started.signal.aborted) late.abort(createError());
      });
      return permitted;
    },
  };
}

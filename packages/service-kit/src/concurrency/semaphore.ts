import PQueue from 'p-queue';

export interface SemaphoreOptions {
  permits: number;
  /** Pieces of work that may wait for a permit. Default: any number. */
  maxWaiting?: number;
  /** How long work waits for a permit, in milliseconds. */
  waitMs: number;
  /** The error of work that can't wait, or got no permit in time. */
  createError: () => Error;
}

export interface Semaphore {
  /** Runs work with a permit. Rejects when too many wait, or there is none in time. */
  run<Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>, ...args: Args): Promise<Result>;
  /** Permits in use. */
  readonly running: number;
  /** Pieces of work that wait for a permit. */
  readonly waiting: number;
}

export function createSemaphore({ permits, maxWaiting = Infinity, waitMs, createError }: SemaphoreOptions): Semaphore {
  const queue = new PQueue({ concurrency: permits });
  return {
    get running() {
      return queue.pending;
    },
    get waiting() {
      return queue.size;
    },
    async run(work, ...args) {
      if (queue.pending >= permits && queue.size >= maxWaiting) throw createError();
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(createError()), waitMs).unref();
      const permitted = () => {
        clearTimeout(timer);
        return work(...args);
      };
      return queue.add(permitted, { signal: late.signal });
    },
  };
}

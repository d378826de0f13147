import PQueue from 'p-queue';
import { PageFailure } from './page-failures.ts';
import type { Time } from './time.ts';

export interface Semaphore {
  /** Rejects with a PageFailure `busy` without a permit within the wait. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createSemaphore(count: number, waitMs: number, time: Time): Semaphore {
  const queue = new PQueue({ concurrency: count });
  return {
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
      void time.sleep(waitMs, started.signal).then(() => {
        if (!started.signal.aborted) late.abort(new PageFailure('busy', 'Too many boards are being read'));
      });
      return permitted;
    },
  };
}

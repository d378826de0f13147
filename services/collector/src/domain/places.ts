import PQueue from 'p-queue';
import { PageFailure } from './page-failures.ts';
import type { Time } from './time.ts';

export interface Places {
  /** Rejects with a PageFailure `busy` without a permit within the wait. */
  in<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createPlaces(count: number, waitMs: number, time: Time): Places {
  const queue = new PQueue({ concurrency: count });
  return {
    in(work) {
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

import { PageFailure } from './page-failures.ts';
import type { Time } from './time.ts';

/** So many places to work in; who finds none waits a while and then gives up. */
export interface Places {
  /** Does the work in a place. Rejects with a PageFailure `busy` when none was free within the wait, and as the work does. */
  in<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** @param waitMs how long to wait for a place, in milliseconds */
export function createPlaces(count: number, waitMs: number, time: Time): Places {
  let free = count;
  const waiting = new Set<() => void>();

  return {
    async in(work) {
      await place();
      try {
        return await work();
      } finally {
        const [next] = waiting;
        // Handed on: a place that was free for a moment could be taken by one who hasn't waited.
        if (next === undefined) free += 1;
        else next();
      }
    },
  };

  async function place(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    const had = new AbortController();
    const take = () => {
      waiting.delete(take);
      had.abort();
    };
    waiting.add(take);
    await time.sleep(waitMs, had.signal);
    if (waiting.delete(take)) throw new PageFailure('busy', 'Too many boards are being read');
  }
}

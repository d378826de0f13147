import { withTimeout } from '@lobbystats/service-kit/concurrency';
import { setTimeout as elapse } from 'node:timers/promises';

/** A stalled server may still execute a write for about this long after it has returned `timeout`. */
export const SETTLE_DELAY_MS = 1000;

export interface WriteFence {
  hold(response: Promise<unknown>): void;
  onResponse(): void;
  /**
   * Resolves when no failed write is running.
   *
   * @throws AppError `unavailable` when one still is after `ms`
   */
  waitUntilClear(ms: number): Promise<void>;
}

export interface WriteFenceOptions {
  settleMs?: number | undefined;
  lostAfterMs?: number | undefined;
  onLost: () => void;
}

/**
 * A write fence. A server that stalled may execute an abandoned write after a newer one and restore old values, so no
 * write starts until the abandoned one has ended.
 */
export function createWriteFence({
  settleMs = SETTLE_DELAY_MS,
  lostAfterMs = 60_000,
  onLost,
}: WriteFenceOptions): WriteFence {
  const inFlight = new Set<Promise<unknown>>();
  let respondsSince: number | undefined;

  return {
    hold: (response) => {
      if (inFlight.size === 0) respondsSince = undefined;
      const ended = response.catch(() => undefined).then(() => elapse(settleMs, undefined, { ref: false }));
      inFlight.add(ended);
      void ended.then(() => inFlight.delete(ended));
    },
    onResponse: () => {
      if (inFlight.size > 0) respondsSince ??= performance.now();
    },
    waitUntilClear: async (ms) => {
      if (inFlight.size === 0) return;
      if (respondsSince !== undefined && performance.now() - respondsSince >= lostAfterMs) {
        inFlight.clear();
        onLost();
        return;
      }
      await withTimeout(ms, 'an earlier write is still running')(() => Promise.all(inFlight));
    },
  };
}

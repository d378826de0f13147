import { setTimeout as elapse } from 'node:timers/promises';
import { promptly } from '@lobbystats/service-kit';

/** A stalled server answers `timeout` while it still finishes the write, for about this long. */
export const SETTLE_MS = 1000;

export interface OverdueWrites {
  add(answer: Promise<unknown>): void;
  answered(): void;
  /**
   * Resolves when no failed write is running.
   *
   * @throws AppError `unavailable` when one still is after `ms`
   */
  ended(ms: number): Promise<void>;
}

export interface OverdueWritesOptions {
  settleMs?: number | undefined;
  lostAfterMs?: number | undefined;
  onLost: () => void;
}

/**
 * A write fence. A server that stalled may execute an abandoned write after a newer one and restore old values, so no
 * write starts until the abandoned one has ended.
 */
export function overdueWrites({
  settleMs = SETTLE_MS,
  lostAfterMs = 60_000,
  onLost,
}: OverdueWritesOptions): OverdueWrites {
  const underWay = new Set<Promise<unknown>>();
  let answersSince: number | undefined;

  return {
    add: (answer) => {
      if (underWay.size === 0) answersSince = undefined;
      const ended = answer.catch(() => undefined).then(() => elapse(settleMs, undefined, { ref: false }));
      underWay.add(ended);
      void ended.then(() => underWay.delete(ended));
    },
    answered: () => {
      if (underWay.size > 0) answersSince ??= performance.now();
    },
    ended: async (ms) => {
      if (underWay.size === 0) return;
      if (answersSince !== undefined && performance.now() - answersSince >= lostAfterMs) {
        underWay.clear();
        onLost();
        return;
      }
      await promptly(ms, 'an earlier write is still under way')(() => Promise.all(underWay));
    },
  };
}

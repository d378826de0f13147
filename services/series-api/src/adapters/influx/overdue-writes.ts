import { setTimeout as elapse } from 'node:timers/promises';
import { promptly } from '@lobbystats/service-kit';

/**
 * How long the server may go on with a write that has failed: one that stood still answers `timeout` and has others of its own
 * finish the work.
 */
export const SETTLE_MS = 1000;

/** Writes that have failed, and that the server may still carry out. */
export interface OverdueWrites {
  /** A write was not answered in time, or not well. */
  add(answer: Promise<unknown>): void;
  /** The server has answered something. */
  answered(): void;
  /**
   * Resolves when none is under way.
   *
   * @throws AppError `unavailable` when one still is after `ms`
   */
  ended(ms: number): Promise<void>;
}

export interface OverdueWritesOptions {
  settleMs?: number | undefined;
  /** How long a write may stay unanswered by a server that answers others, before it is taken for lost. */
  lostAfterMs?: number | undefined;
  /** Called when one is taken for lost: the connections may be closed. */
  onLost: () => void;
}

/**
 * A server that stood still carries out what it had received before it is asked anew: a write that was given up may come
 * after one that was made later, and put old values in the place of new ones. So nothing is written while one is under way.
 * It has ended soon after it is answered or its connection is lost.
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

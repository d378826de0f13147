/**
 * Who goes before whom of those that wait: `first` before all others, for what asks seldom; `last` behind all others, for
 * what has time.
 */
export type Urgency = 'first' | 'usual' | 'last';

/** Hands out turns at an even pace. */
export interface Pacer {
  /**
   * Resolves with true when the caller's turn has come, in the order of the calls within an urgency. With false, and without using up a
   * turn, if it isn't wanted any more by then.
   *
   * @param urgency default: `usual`
   */
  turn(isWanted: () => boolean, urgency?: Urgency): Promise<boolean>;
}

export interface PacerOptions {
  /** Turns in any second, at most. */
  perSecond: number;
  /** Milliseconds on a clock that never jumps. */
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

interface Waiter {
  urgency: Urgency;
  isWanted: () => boolean;
  resolve: (isTurn: boolean) => void;
}

const SECOND_MS = 1000;

/**
 * Makes a pacer. Turns are spread over the second; a timer that was late is made up for by the next turns, but no second,
 * wherever it begins, has more turns than allowed.
 */
export function createPacer({ perSecond, now, sleep }: PacerOptions): Pacer {
  const intervalMs = SECOND_MS / perSecond;
  /** When the last turns were taken: the oldest is that of `perSecond` turns ago. */
  const taken: number[] = [];
  let oldest = 0;
  let plannedMs = -Infinity;
  const waiting: Waiter[] = [];
  let isPacing = false;

  return {
    turn(isWanted, urgency = 'usual') {
      return new Promise((resolve) => {
        waiting.splice(placeOf(urgency), 0, { urgency, isWanted, resolve });
        if (!isPacing) void pace();
      });
    },
  };

  function placeOf(urgency: Urgency): number {
    if (urgency === 'first') return 0;
    const behind = urgency === 'usual' ? waiting.findIndex((waiter) => waiter.urgency === 'last') : -1;
    return behind === -1 ? waiting.length : behind;
  }

  async function pace(): Promise<void> {
    isPacing = true;
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const secondAgoMs = taken[oldest] ?? -Infinity;
      const earliestMs = Math.max(plannedMs + intervalMs, secondAgoMs + SECOND_MS);
      const waitMs = earliestMs - now();
      if (!next.isWanted()) settle(next, false);
      else if (waitMs > 0) await sleep(waitMs);
      else take(next, earliestMs);
    }
    isPacing = false;
  }

  function take(waiter: Waiter, earliestMs: number): void {
    // After a pause the pace begins anew: what wasn't used then is not saved up.
    plannedMs = now() - earliestMs > intervalMs ? now() : earliestMs;
    taken[oldest] = now();
    oldest = (oldest + 1) % perSecond;
    settle(waiter, true);
  }

  function settle(waiter: Waiter, isTurn: boolean): void {
    waiting.splice(waiting.indexOf(waiter), 1);
    waiter.resolve(isTurn);
  }
}

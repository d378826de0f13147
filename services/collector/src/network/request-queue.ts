import PQueue from 'p-queue';

/** `first` for rare requests, `last` for requests that can wait. */
export type Urgency = 'first' | 'usual' | 'last';

const PRIORITIES: Readonly<Record<Urgency, number>> = { first: 1, usual: 0, last: -1 };

export interface Pacer {
  /**
   * Resolves with true when a request may be sent at once, with false once it isn't needed. One call at a time.
   *
   * @param busySinceMs `performance.now()` at which the first of the waiting requests found none before it
   */
  next(isNeeded: () => boolean, busySinceMs: number): Promise<boolean>;
}

export interface RequestQueue {
  /** Resolves with true when the request may be sent at once, with false once it isn't needed or the signal aborts. */
  turn(urgency: Urgency, isNeeded: () => boolean): Promise<boolean>;
}

export interface RequestQueueOptions {
  pacer: Pacer;
  signal: AbortSignal;
  /** Resolves when a request can be sent. */
  ready?: () => Promise<void>;
  /** Receives the number of waiting requests whenever it changes. */
  onWaiting?: (count: number) => void;
}

/** Lets waiting requests go in the order of their urgency, and in the order of their arrival. */
export function requestQueue(options: RequestQueueOptions): RequestQueue {
  const { pacer, signal, ready = () => Promise.resolve(), onWaiting = () => undefined } = options;
  const turns = new PQueue({ concurrency: 1 });
  const waiting = () => turns.size + turns.pending;
  let busySinceMs = 0;

  return {
    async turn(urgency, isNeeded) {
      if (waiting() === 0) busySinceMs = performance.now();
      const next = async () => {
        await ready();
        return pacer.next(() => !signal.aborted && isNeeded(), busySinceMs);
      };
      const turn = turns.add(next, { priority: PRIORITIES[urgency], signal }).catch(() => false);
      onWaiting(waiting());
      return turn.finally(() => onWaiting(waiting()));
    },
  };
}

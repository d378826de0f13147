import PQueue from 'p-queue';
import type { Pacer, Permit } from './pacer.ts';

/** `first` for rare requests, `last` for requests that can wait. */
export type Urgency = 'first' | 'usual' | 'last';

const PRIORITIES: Readonly<Record<Urgency, number>> = { first: 1, usual: 0, last: -1 };

export interface RequestQueue {
  /** Resolves with a permit when the request may be sent at once, with undefined once it isn't needed or the signal aborts. */
  permit(urgency: Urgency, isNeeded: () => boolean): Promise<Permit | undefined>;
}

export interface RequestQueueOptions {
  pacer: Pacer;
  signal: AbortSignal;
  /** Receives the number of requests without a permit whenever it changes. */
  onWaiting?: (count: number) => void;
}

/** Lets waiting requests go in the order of their urgency, and in the order of their arrival. */
export function requestQueue({ pacer, signal, onWaiting = () => undefined }: RequestQueueOptions): RequestQueue {
  const permits = new PQueue({ concurrency: 1 });
  const waiting = () => permits.size + permits.pending;
  let busySinceMs = 0;

  return {
    async permit(urgency, isNeeded) {
      if (waiting() === 0) busySinceMs = performance.now();
      const next = () => pacer.next(() => !signal.aborted && isNeeded(), busySinceMs);
      const permit = permits.add(next, { priority: PRIORITIES[urgency], signal }).catch(() => undefined);
      onWaiting(waiting());
      return permit.finally(() => onWaiting(waiting()));
    },
  };
}

import PQueue from 'p-queue';
import type { Pacer } from './pacer.ts';

/** `first` for rare requests, `last` for requests that can wait. */
export type Urgency = 'first' | 'usual' | 'last';

const PRIORITIES: Readonly<Record<Urgency, number>> = { first: 1, usual: 0, last: -1 };

/** Requests that have a turn prepare themselves, so that they can be sent as soon as they have a permit. */
export interface RequestQueue {
  /** Resolves with what ends the turn. Rejects once the signal aborts. */
  takeTurn(urgency: Urgency): Promise<() => void>;
  /** Resolves with true when the request may be sent at once, with false once it isn't needed or the signal aborts. */
  permit(urgency: Urgency, isNeeded: () => boolean): Promise<boolean>;
}

export interface RequestQueueOptions {
  pacer: Pacer;
  perSecond: number;
  signal: AbortSignal;
  /** Receives the number of requests without a permit whenever it changes. */
  onWaiting?: (count: number) => void;
}

/** Lets waiting requests go in the order of their urgency, and in the order of their arrival. */
export function requestQueue({
  pacer,
  perSecond,
  signal,
  onWaiting = () => undefined,
}: RequestQueueOptions): RequestQueue {
  const turns = new PQueue({ concurrency: maxTurns(perSecond) });
  const permits = new PQueue({ concurrency: 1 });
  const waiting = () => turns.size + permits.size + permits.pending;
  let busySinceMs = 0;

  return {
    takeTurn: (urgency) =>
      new Promise((resolve, reject) => {
        const turn = () =>
          new Promise<void>((end) => {
            resolve(end);
          });
        turns.add(turn, { priority: PRIORITIES[urgency], signal }).catch(reject);
        onWaiting(waiting());
      }),

    async permit(urgency, isNeeded) {
      if (permits.size + permits.pending === 0) busySinceMs = performance.now();
      const next = () => pacer.next({ waiting, isNeeded, busySinceMs });
      const isPermitted = await permits.add(next, { priority: PRIORITIES[urgency], signal }).catch(() => false);
      onWaiting(waiting());
      return isPermitted;
    },
  };
}

/** Enough to prepare requests for a quarter of a second; few enough that none waits long after it has locked a page. */
function maxTurns(perSecond: number): number {
  return Math.max(4, Math.ceil(perSecond / 4));
}

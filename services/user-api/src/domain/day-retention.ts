import { SNAPSHOT_RETENTION_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { dayOf } from './slot-bits.ts';
import type { UserStore } from './user-store.ts';

/** Days kept beyond those whose slots can be earned: the clock of another replica may be behind. */
const SPARE_DAYS = 2;
/** How often it is looked for days that are over. */
const EVERY_MS = 3_600_000;

export interface DayRetention {
  store: Pick<UserStore, 'removeDaysBefore'>;
  /** Epoch milliseconds. */
  clock: () => number;
  /** Told when the store failed; it is tried again at the next time. */
  onFault: (error: unknown) => void;
}

/** The first day of which it is still known in what slots people played: no slot before it can be earned. */
export function firstDayKept(now: EpochSeconds): number {
  return dayOf(now - SNAPSHOT_RETENTION_SECONDS) - SPARE_DAYS;
}

/**
 * Takes out the slots of days that are over, now and from time to time, a little at once: what they were worth stays
 * counted. `stop` resolves when nothing is in hand.
 */
export function startDayRetention({ store, clock, onFault }: DayRetention): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout;
  let inHand = Promise.resolve();
  let stopped = false;
  // What else waits (requests, messages) comes between two portions.
  const schedule = (ms: number): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      inHand = remove();
    }, ms);
  };
  const remove = async (): Promise<void> => {
    let removed = 0;
    try {
      removed = await store.removeDaysBefore(firstDayKept(Math.floor(clock() / 1000)));
    } catch (error) {
      onFault(error);
    }
    schedule(removed > 0 ? 0 : EVERY_MS);
  };
  schedule(0);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await inHand;
    },
  };
}

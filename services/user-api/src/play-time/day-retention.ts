import { SNAPSHOT_RETENTION_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { dayOf } from './play-day.ts';
import type { UserStore } from '../users/user-store.ts';

const SPARE_DAYS = 2;
const INTERVAL_MS = 3_600_000;

export interface DayRetentionOptions {
  store: Pick<UserStore, 'removeDaysBefore'>;
  clock: () => number;
  onFault: (error: unknown) => void;
}

/** The first day whose slots are still stored; no earlier slot can be earned. */
export function firstRetainedDay(now: EpochSeconds): number {
  return dayOf(now - SNAPSHOT_RETENTION_SECONDS) - SPARE_DAYS;
}

/**
 * Removes expired days in small portions, now and every hour; their minutes stay counted. `stop` waits for a running
 * portion.
 */
export function startDayRetention({ store, clock, onFault }: DayRetentionOptions): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout;
  let running = Promise.resolve();
  let stopped = false;
  // Other work runs between portions.
  const schedule = (ms: number): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = remove();
    }, ms);
  };
  const remove = async (): Promise<void> => {
    let removed = 0;
    try {
      removed = await store.removeDaysBefore(firstRetainedDay(Math.floor(clock() / 1000)));
    } catch (error) {
      onFault(error);
    }
    schedule(removed > 0 ? 0 : INTERVAL_MS);
  };
  schedule(0);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

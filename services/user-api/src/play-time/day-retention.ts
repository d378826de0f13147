import { startPortions, type Portions } from '@lobbystats/service-kit/concurrency';
import { SNAPSHOT_RETENTION_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { dayOf } from '../users/play-day.ts';
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

/** Removes expired days in small portions; their minutes stay counted. */
export function startDayRetention({ store, clock, onFault }: DayRetentionOptions): Portions {
  const portion = async () => (await store.removeDaysBefore(firstRetainedDay(Math.floor(clock() / 1000)))) > 0;
  return startPortions({ everyMs: INTERVAL_MS, portion, onFault });
}

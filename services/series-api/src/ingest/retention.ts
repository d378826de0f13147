import { startPortions, type Portions } from '@lobbystats/service-kit/concurrency';
import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { SiteDayQueries } from '../days/site-days.queries.ts';
import { dayOf, type Period, retained } from '../series/periods.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { RemovalQueries } from './removals.queries.ts';

/** Allows comparing a year with the one before. */
const DAILY_RETENTION_DAYS = 800;
/** About 25 ms of work. */
const SLOTS_PER_PURGE = 12;
const PURGE_INTERVAL_MS = 300_000;
const MIN_INSTANT: EpochSeconds = 0;
const MAX_INSTANT: EpochSeconds = Number.MAX_SAFE_INTEGER;

export function retainedDailies(now: EpochSeconds): Period {
  return { after: dayOf(now) - DAILY_RETENTION_DAYS * DAY_SECONDS, until: dayOf(now) };
}

export type RetentionStore = Pick<RemovalQueries, 'purge'> &
  Pick<SiteDayQueries, 'registered'> &
  Pick<SlotQueries, 'slotBefore'>;

export interface RetentionOptions {
  store: RetentionStore;
  now: () => EpochSeconds;
  onFault: (error: unknown) => void;
}

/** Removes expired data in small batches. */
export function startRetention({ store, now, onFault }: RetentionOptions): Portions {
  return startPortions({ everyMs: PURGE_INTERVAL_MS, portion: () => purgeBatch(store, now()), onFault });
}

/**
 * Returns whether more is left. A clock far ahead must not delete data: retention never runs more than a day ahead of
 * the newest slot.
 */
async function purgeBatch(store: RetentionStore, now: EpochSeconds): Promise<boolean> {
  const slot = await store.slotBefore(MAX_INSTANT);
  const laterDays = await store.registered({ after: slot ?? MIN_INSTANT, until: MAX_INSTANT });
  const newest = laterDays.at(-1)?.day ?? slot;
  if (newest === null) return false;
  const snapshots = retained(Math.min(now, (slot ?? MIN_INSTANT) + DAY_SECONDS)).after;
  const dailies = retainedDailies(Math.min(now, newest + DAY_SECONDS)).after;
  return store.purge({ snapshots, dailies }, SLOTS_PER_PURGE);
}

import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { dayOf, type Period, retained } from './periods.ts';
import type { SeriesReader } from './series-reader.ts';
import type { SeriesWriter } from './series-writer.ts';

/** Allows comparing a year with the one before. */
const DAILY_DAYS_KEPT = 800;
/** About 25 ms of work. */
const SLOTS_AT_ONCE = 12;
const EVERY_MS = 300_000;
const BEGIN_OF_TIME: EpochSeconds = 0;
const END_OF_TIME: EpochSeconds = Number.MAX_SAFE_INTEGER;

export function dailiesKept(now: EpochSeconds): Period {
  return { after: dayOf(now) - DAILY_DAYS_KEPT * DAY_SECONDS, until: dayOf(now) };
}

export type RetentionStore = Pick<SeriesWriter, 'purge'> & Pick<SeriesReader, 'registered' | 'slotBefore'>;

export interface Retention {
  store: RetentionStore;
  now: () => EpochSeconds;
  onFault: (error: unknown) => void;
}

/** Removes expired data in small portions. `stop` waits for the running one. */
export function startRetention({ store, now, onFault }: Retention): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout;
  let inHand = Promise.resolve();
  const schedule = (ms: number): void => {
    timer = setTimeout(() => {
      inHand = purge();
    }, ms);
  };
  const purge = async (): Promise<void> => {
    let more = false;
    try {
      more = await purgeSome(store, now());
    } catch (error) {
      onFault(error);
    }
    schedule(more ? 0 : EVERY_MS);
  };
  schedule(0);
  return {
    stop: async () => {
      clearTimeout(timer);
      await inHand;
      clearTimeout(timer);
    },
  };
}

/**
 * Returns whether more is left. A clock far ahead must not delete data: retention never runs more than a day ahead of
 * the newest slot.
 */
async function purgeSome(store: RetentionStore, now: EpochSeconds): Promise<boolean> {
  const slot = await store.slotBefore(END_OF_TIME);
  const laterDays = await store.registered({ after: slot ?? BEGIN_OF_TIME, until: END_OF_TIME });
  const newest = laterDays.at(-1)?.day ?? slot;
  if (newest === null) return false;
  const snapshots = retained(Math.min(now, (slot ?? BEGIN_OF_TIME) + DAY_SECONDS)).after;
  const dailies = dailiesKept(Math.min(now, newest + DAY_SECONDS)).after;
  return store.purge({ snapshots, dailies }, SLOTS_AT_ONCE);
}

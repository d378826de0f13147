import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { dayOf, type Period, retained } from './periods.ts';
import type { SeriesReader } from './series-reader.ts';
import type { SeriesWriter } from './series-writer.ts';

/** How many days registered counts and daily statistics are kept: a year can be compared with the one before it. */
const DAILY_DAYS_KEPT = 800;
/** Slots that leave at once: some 25 ms of work, so that nobody waits for it. */
const SLOTS_AT_ONCE = 12;
/** How often it is looked for what has expired: once a slot. */
const EVERY_MS = 300_000;
const BEGIN_OF_TIME: EpochSeconds = 0;
const END_OF_TIME: EpochSeconds = Number.MAX_SAFE_INTEGER;

/** The days of which registered counts and daily statistics are kept, by their beginnings. */
export function dailiesKept(now: EpochSeconds): Period {
  return { after: dayOf(now) - DAILY_DAYS_KEPT * DAY_SECONDS, until: dayOf(now) };
}

/** What retention needs of the store. */
export type RetentionStore = Pick<SeriesWriter, 'purge'> & Pick<SeriesReader, 'registered' | 'slotBefore'>;

export interface Retention {
  store: RetentionStore;
  now: () => EpochSeconds;
  /** Told when the store failed; it is tried again at the next time. */
  onFault: (error: unknown) => void;
}

/** Removes what has expired, now and from time to time, a little at once. `stop` resolves when nothing is in hand. */
export function startRetention({ store, now, onFault }: Retention): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout;
  let inHand = Promise.resolve();
  // What else waits (requests, messages) comes between two portions.
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
 * Removes one portion of what has expired; resolves to whether more is left. A clock that is far ahead must not cost what
 * can't be had again: time goes on with what is stored, and never more than a day beyond it.
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

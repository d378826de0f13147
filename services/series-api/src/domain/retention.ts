import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { dayOf, type Period, retained } from './periods.ts';
import type { SeriesWriter } from './series-writer.ts';

/** How many days registered counts and daily statistics are kept: a year can be compared with the one before it. */
const DAILY_DAYS_KEPT = 800;
/** Slots that leave at once: some 25 ms of work, so that nobody waits for it. */
const SLOTS_AT_ONCE = 12;
/** How often it is looked for what has expired: once a slot. */
const EVERY_MS = 300_000;

/** The days of which registered counts and daily statistics are kept, by their beginnings. */
export function dailiesKept(now: EpochSeconds): Period {
  return { after: dayOf(now) - DAILY_DAYS_KEPT * DAY_SECONDS, until: dayOf(now) };
}

export interface Retention {
  store: Pick<SeriesWriter, 'purge'>;
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

/** Removes one portion of what has expired; resolves to whether more is left. */
async function purgeSome(store: Pick<SeriesWriter, 'purge'>, now: EpochSeconds): Promise<boolean> {
  return store.purge({ snapshots: retained(now).after, dailies: dailiesKept(now).after }, SLOTS_AT_ONCE);
}

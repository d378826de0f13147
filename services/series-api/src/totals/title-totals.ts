import { DAY_SECONDS, slotOf, type EpochSeconds } from '@lobbystats/contracts';
import type { SiteDayQueries } from '../days/site-days.queries.ts';
import { dayOf, retained, type Period } from '../series/periods.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { TitlePeak, TotalQueries } from './title-totals.queries.ts';

type Store = TotalQueries & SlotQueries & SiteDayQueries;

/** For each period, totals by title. */
export type TitleTotals = (periods: readonly Period[], now: EpochSeconds) => Promise<Map<string, TitlePeak>[]>;

/**
 * Reads whole days from the daily statistics, and snapshots for the rest. A read takes InfluxDB longer with each title, so
 * requests share its result until another slot or day is stored.
 */
export function titleTotalsReader(store: Store): TitleTotals {
  let stored: string | undefined;
  let shared = new Map<string, Promise<TitlePeak[]>>();
  return async (periods, now) => {
    const newest = await describeStored(store, now);
    if (newest !== stored) {
      stored = newest;
      shared = new Map();
    }
    const reads = shared;
    const read = (kind: 'titlePeaks' | 'titleDayPeaks', { after, until }: Period): Promise<TitlePeak[]> => {
      if (slotOf(after) >= slotOf(until)) return Promise.resolve([]);
      const key = `${kind} ${slotOf(after)} ${slotOf(until)}`;
      const running = reads.get(key) ?? store[kind]({ after, until });
      reads.set(key, running);
      running.catch(() => reads.delete(key));
      return running;
    };
    return Promise.all(periods.map((period) => readTotals(read, period)));
  };
}

/** Totals of the titles that the catalog knows: no route finds the others. */
export function knownTitles(
  totals: ReadonlyMap<string, TitlePeak>,
  names: ReadonlyMap<string, string>,
): (TitlePeak & { gameName: string })[] {
  return [...totals.values()]
    .map((title) => ({ ...title, gameName: names.get(title.titleId) ?? '' }))
    .filter(({ gameName }) => gameName !== '');
}

/** Changes with each stored slot and each day that was rolled up. */
async function describeStored(store: Store, now: EpochSeconds): Promise<string> {
  const period = retained(now);
  const [newest, counts, days] = await Promise.all([
    store.slotBefore(now + 1),
    store.countStored(period),
    store.siteDays(period),
  ]);
  return JSON.stringify([slotOf(now), newest, counts, days.map(({ samples, newestSlot }) => [samples, newestSlot])]);
}

async function readTotals(
  read: (kind: 'titlePeaks' | 'titleDayPeaks', period: Period) => Promise<TitlePeak[]>,
  { after, until }: Period,
): Promise<Map<string, TitlePeak>> {
  const firstDay = dayOf(after) + DAY_SECONDS;
  const lastDayEnd = dayOf(until + 1);
  const parts = await Promise.all([
    read('titlePeaks', { after, until: firstDay - 1 }),
    read('titleDayPeaks', { after: firstDay - 1, until: lastDayEnd - 1 }),
    read('titlePeaks', { after: lastDayEnd - 1, until }),
  ]);
  const totals = new Map<string, TitlePeak>();
  for (const part of parts.flat()) {
    const { peak, total, samples } = totals.get(part.titleId) ?? { peak: 0, total: 0, samples: 0 };
    totals.set(part.titleId, {
      titleId: part.titleId,
      peak: Math.max(peak, part.peak),
      total: total + part.total,
      samples: samples + part.samples,
    });
  }
  return totals;
}

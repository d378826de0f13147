import fc from 'fast-check';
import { openSqliteSeriesStore, type SeriesStore } from '../src/open-store.ts';
import type { SlotObservation } from '../src/slots/snapshots.ts';
import { storeSlots, type StoredBatch } from '../src/ingest/store-slots.ts';
import { HARBOR, NOW, observation, RALLY, SLOT, TODAY } from './observations.ts';

export const EVER = { after: 0, until: NOW * 2 };
export const TITLES = [HARBOR, RALLY];

export async function inMemory<Result>(work: (store: SeriesStore) => Promise<Result>): Promise<Result> {
  const store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export async function storeAll(
  store: SeriesStore,
  batches: readonly (readonly SlotObservation[])[],
  { now = NOW, past = false } = {},
): Promise<StoredBatch[]> {
  const results = [];
  for (const batch of batches) {
    const observed = batch.map((one) => ({ observation: one, past }));
    results.push(await storeSlots(store, observed, now));
  }
  return results;
}

/** Slots around the end of a day with gaps and changing hosts. */
export const history = fc
  .uniqueArray(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 40 })
  .chain((indexes) =>
    fc.tuple(
      ...indexes.map((index) =>
        fc
          .record({
            online: fc.nat(50),
            registered: fc.option(fc.nat(50)),
            titles: fc.dictionary(
              fc.constantFrom(...TITLES),
              fc.record({
                online: fc.nat(50),
                matches: fc.option(fc.dictionary(fc.constantFrom('Ada', 'Bob'), fc.nat(8), { maxKeys: 2 }), {
                  freq: 4,
                }),
              }),
            ),
          })
          .map((sketch) => observation(TODAY + index * SLOT, sketch)),
      ),
    ),
  );

export const deliveries = history.chain((observations) =>
  fc.record({
    observations: fc.constant(observations),
    order: fc.nat(observations.length).chain((repeated) => {
      const all = [...observations, ...observations.slice(0, repeated)];
      return fc.shuffledSubarray(all, { minLength: all.length });
    }),
    size: fc.integer({ min: 1, max: 12 }),
  }),
);

export function inBatches<One>(all: readonly One[], size: number): One[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

export function ascending(observations: readonly SlotObservation[]): SlotObservation[] {
  return observations.toSorted((a, b) => (a.slot < b.slot ? -1 : 1));
}

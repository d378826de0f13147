import { formatInstant, MATCH_GAP_SECONDS } from '@lobbystats/contracts';
import fc from 'fast-check';
import { openSqliteSeriesStore } from '../src/database/series-store.sqlite.ts';
import type { MatchRun } from '../src/matches/match-runs.ts';
import type { SeriesStore } from '../src/database/series-store.ts';
import type { SlotObservation } from '../src/snapshots/snapshots.ts';
import { storeSlots, type StoredBatch } from '../src/snapshots/store-slots.ts';
import { DAY, HARBOR, NOW, observation, RALLY, SLOT, slotsFrom, TODAY } from './observations.ts';
import { stateOf } from './series-state.ts';

const EVER = { after: 0, until: NOW * 2 };
const TITLES = [HARBOR, RALLY];

async function inMemory<Result>(work: (store: SeriesStore) => Promise<Result>): Promise<Result> {
  const store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function storeAll(
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
const history = fc.uniqueArray(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 30 }).chain((indexes) =>
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
              matches: fc.option(fc.dictionary(fc.constantFrom('Ada', 'Bob'), fc.nat(8), { maxKeys: 2 }), { freq: 4 }),
            }),
          ),
        })
        .map((sketch) => observation(TODAY + index * SLOT, sketch)),
    ),
  ),
);

const deliveries = history.chain((observations) =>
  fc.record({
    observations: fc.constant(observations),
    order: fc.nat(observations.length).chain((repeated) => {
      const all = [...observations, ...observations.slice(0, repeated)];
      return fc.shuffledSubarray(all, { minLength: all.length });
    }),
    size: fc.integer({ min: 1, max: 12 }),
  }),
);

function inBatches<One>(all: readonly One[], size: number): One[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

function ascending(observations: readonly SlotObservation[]): SlotObservation[] {
  return observations.toSorted((a, b) => (a.slot < b.slot ? -1 : 1));
}

/** The first stored slot that proves a run's end. */
function provingSlot(run: MatchRun, slots: readonly number[]): number | undefined {
  return slots.find((slot) => slot > run.endedAt + MATCH_GAP_SECONDS);
}

describe('storeSlots', () => {
  it('the stored state is independent of order, batches and repetitions', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ observations, order, size }) => {
        const expected = await inMemory(async (store) => {
          await storeAll(store, [ascending(observations)]);
          return stateOf(store);
        });
        const found = await inMemory(async (store) => {
          await storeAll(store, inBatches(order, size));
          return stateOf(store);
        });
        expect(found).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('reports every ended match with the slot that proves its end, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ order, size }) =>
        inMemory(async (store) => {
          const results = await storeAll(store, inBatches(order, size));
          const reported = new Set(
            results.flatMap(({ ended }) =>
              ended.flatMap(({ slot, matches }) => matches.map((match) => JSON.stringify([slot, sorted(match)]))),
            ),
          );
          const slots = (await store.siteSnapshots(EVER)).map(({ slot }) => slot);
          const ended = (await store.runsBetween(0, EVER.until)).flatMap((run) => {
            const proof = provingSlot(run, slots);
            return proof === undefined ? [] : [JSON.stringify([proof, sorted(run)])];
          });
          expect(ended.filter((match) => !reported.has(match))).toEqual([]);
        }),
      ),
      { numRuns: 60 },
    );
  });

  it('reports each ended match once when slots arrive in order', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (observations) =>
        inMemory(async (store) => {
          const batches = ascending(observations).map((one) => [one]);
          const reported = (await storeAll(store, batches)).flatMap(({ ended }) =>
            ended.flatMap(({ matches }) => matches.map((match) => JSON.stringify(sorted(match)))),
          );
          const slots = (await store.siteSnapshots(EVER)).map(({ slot }) => slot);
          const runs = await store.runsBetween(0, EVER.until);
          const ended = runs.filter((run) => provingSlot(run, slots) !== undefined);
          expect(reported.toSorted()).toEqual(ended.map((run) => JSON.stringify(sorted(run))).toSorted());
        }),
      ),
      { numRuns: 60 },
    );
  });

  it('the first observation of a slot wins, and a repetition reports the stored facts', async () =>
    inMemory(async (store) => {
      const first = observation(NOW - SLOT, { online: 5, registered: 9, titles: { [HARBOR]: { online: 5 } } });
      const other = observation(NOW - SLOT, {
        online: 6,
        registered: 99,
        titles: { [RALLY]: { matches: { Ada: 1 } } },
      });
      const [stored] = await storeAll(store, [[first, other]]);
      const before = await stateOf(store);
      const [repeated] = await storeAll(store, [[other]]);
      expect(await stateOf(store)).toEqual(before);
      expect(stored).toMatchObject({ stored: 1, repeated: 1, expired: 0, points: 1 });
      expect(repeated).toMatchObject({ stored: 0, repeated: 1, expired: 0, points: 0 });
      expect(repeated!.slots).toEqual([{ slot: NOW - SLOT, online: 5, lobbies: 0, past: false }]);
      expect(await store.title(RALLY)).toBeNull();
    }));

  it('a slot is live when one of its observations is', async () =>
    inMemory(async (store) => {
      const slot = observation(NOW);
      const { slots } = await storeSlots(
        store,
        [
          { observation: slot, past: true },
          { observation: slot, past: false },
          { observation: observation(NOW - SLOT), past: true },
        ],
        NOW,
      );
      expect(slots.map(({ slot: at, past }) => [at, past]).toSorted()).toEqual([
        [NOW - SLOT, true],
        [NOW, false],
      ]);
    }));

  it('a match extended by a late slot is reported again, marked as past', async () =>
    inMemory(async (store) => {
      const playing = { titles: { [HARBOR]: { matches: { Ada: 1 } } } };
      const none = slotsFrom(NOW, 4).map((slot) => observation(slot));
      await storeAll(store, [[observation(NOW - 8 * SLOT, playing), ...none]], { now: NOW + DAY });
      const [filled] = await storeAll(store, [[observation(NOW - 7 * SLOT, playing)]], { now: NOW + DAY, past: true });
      expect(filled!.ended).toEqual([
        {
          slot: NOW,
          past: true,
          matches: [expect.objectContaining({ startedAt: NOW - 8 * SLOT, endedAt: NOW - 7 * SLOT })],
        },
      ]);
    }));

  it('recounts the matches of a day when a late slot moves the start of one to the day before', async () =>
    inMemory(async (store) => {
      const playing = { titles: { [HARBOR]: { matches: { Ada: 1 } } } };
      await storeAll(store, [[observation(TODAY, playing)], [observation(TODAY - SLOT, playing)]]);
      const days = await store.siteDays(EVER);
      expect(days.map(({ day, matches }) => [day, matches])).toEqual([
        [TODAY - DAY, 1],
        [TODAY, 0],
      ]);
    }));

  it('stores slots of a large network in commits of bounded size, with the same result', async () =>
    inMemory(async (store) => {
      const titleIds = Array.from({ length: 30_000 }, (_, index) => index.toString(16).padStart(8, '0'));
      const titles = Object.fromEntries(titleIds.map((titleId) => [titleId, { online: 1 }]));
      const slots = slotsFrom(TODAY, 3).map((slot) => observation(slot, { titles }));
      const commits: number[] = [];
      const counting: SeriesStore = {
        ...store,
        commit: async (batch) => {
          commits.push(batch.slots.length);
          await store.commit(batch);
        },
      };
      expect(await storeAll(counting, [slots])).toMatchObject([{ stored: 3, points: 90_000 }]);
      expect(commits).toEqual([2, 1]);
      expect((await store.titleDayPeaks(EVER)).at(-1)).toMatchObject({
        titleId: titleIds.at(-1),
        total: 3,
        samples: 3,
      });
    }));

  it('skips slots that are thirty days old and stores the next one', async () =>
    inMemory(async (store) => {
      const [result] = await storeAll(store, [[observation(NOW - 30 * DAY), observation(NOW - 30 * DAY + SLOT)]]);
      expect(result).toMatchObject({ stored: 1, expired: 1, repeated: 0 });
      expect(result!.slots.map(({ slot }) => slot)).toEqual([NOW - 30 * DAY + SLOT]);
    }));

  it('computes no statistics for a day that has begun to expire', async () =>
    inMemory(async (store) => {
      const days = [TODAY - 30 * DAY, TODAY - 29 * DAY];
      const late = days.map((day) => observation(day + 20 * 3600, { titles: { [HARBOR]: {} } }));
      await storeAll(store, [late]);
      expect((await store.titleDays(HARBOR, EVER)).map(({ day }) => day)).toEqual([TODAY - 29 * DAY]);
    }));

  it('a slot more than five minutes ahead rejects the whole batch', async () =>
    inMemory(async (store) => {
      const ahead = observation(NOW + 2 * SLOT);
      await expect(storeAll(store, [[observation(NOW), ahead]])).rejects.toMatchObject({ code: 'invalid' });
      await expect(storeAll(store, [[observation(NOW + SLOT)]], { now: NOW - 1 })).rejects.toThrow(
        `Slot ${formatInstant(NOW + SLOT)} lies in the future`,
      );
      expect(await store.siteSnapshots(EVER)).toEqual([]);
      const [result] = await storeAll(store, [[observation(NOW + SLOT)]]);
      expect(result).toMatchObject({ stored: 1 });
    }));
});

function sorted(run: MatchRun): [string, unknown][] {
  return Object.entries(run).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

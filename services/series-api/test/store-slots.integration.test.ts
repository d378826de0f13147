import { formatInstant } from '@lobbystats/contracts';
import fc from 'fast-check';
import type { SeriesStore } from '../src/open-store.ts';
import { storeSlots } from '../src/ingest/store-slots.ts';
import { ascending, deliveries, EVER, inBatches, inMemory, storeAll } from './deliveries.ts';
import { DAY, HARBOR, NOW, observation, RALLY, SLOT, slotsFrom, TODAY } from './observations.ts';
import { stateOf } from './series-state.ts';

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
          slot: NOW + SLOT,
          past: true,
          matches: [expect.objectContaining({ startedAt: NOW - 8 * SLOT, endedAt: NOW - 7 * SLOT })],
        },
      ]);
    }));

  it('a match that a late slot begins anew is reported again, with its own start', async () =>
    inMemory(async (store) => {
      const playing = { titles: { [HARBOR]: { matches: { Ada: 1 } } } };
      const [first, absent, late, last] = slotsFrom(NOW - 8 * SLOT, 4) as [number, number, number, number];
      const over = slotsFrom(last + SLOT, 2).map((slot) => observation(slot));
      await storeAll(store, [[observation(first, playing), observation(absent), observation(last, playing), ...over]]);
      const [cut] = await storeAll(store, [[observation(late)]], { past: true });
      expect(cut!.ended.map(({ slot, matches }) => [slot, matches.map(({ startedAt }) => startedAt)])).toEqual([
        [late, [first]],
        [last + 2 * SLOT, [last]],
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

  it('counts the snapshots of a day that has begun to expire', async () =>
    inMemory(async (store) => {
      const days = [TODAY - 30 * DAY, TODAY - 29 * DAY];
      const late = days.map((day) => observation(day + 20 * 3600, { titles: { [HARBOR]: { online: 9 } } }));
      await storeAll(store, [late]);
      expect((await store.titleDays(HARBOR, EVER)).map(({ day }) => day)).toEqual(days);
      expect((await store.siteDays(EVER)).map(({ day }) => day)).toEqual(days);
      expect((await store.titleRecords(HARBOR)).online).toEqual([days[0]! + 20 * 3600, 9]);
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

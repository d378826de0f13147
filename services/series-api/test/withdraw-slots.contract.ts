import { formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { observedTitle } from '@lobbystats/test-kit';
import fc from 'fast-check';
import type { Withdrawal, WithdrawalReport } from '../src/admin.ts';
import type { SeriesStore } from '../src/database/series-store.ts';
import { storeSlots } from '../src/snapshots/store-slots.ts';
import type { SlotObservation } from '../src/snapshots/snapshots.ts';

/** Half an hour before midnight, so that matches and ranges span two days. */
const FIRST = Date.UTC(2026, 0, 15, 23, 30) / 1000;
const NOW = FIRST + 3600;
const EVER = { after: 0, until: NOW + 86_400 };
const TITLES = ['4d530064', '4d530065'];
const HOSTS = ['Ember', 'Moss', 'Owl'];

const match = fc.record({
  host: fc.constantFrom(...HOSTS),
  players: fc.integer({ min: 1, max: 8 }),
  maxPlayers: fc.constant(8),
});
const title = fc.record({
  online: fc.integer({ min: 0, max: 40 }),
  matches: fc.uniqueArray(match, { selector: ({ host }) => host, maxLength: 3 }),
});
/** Slots of an hour; null: missed. */
const slots = fc.array(
  fc.option(
    fc.record({
      registered: fc.option(fc.integer({ min: 1, max: 9 })),
      online: fc.integer({ min: 0, max: 99 }),
      titles: fc.tuple(title, title),
    }),
    { freq: 5 },
  ),
  { minLength: 1, maxLength: 12 },
);

/** Series of a test, from which slots can be withdrawn while no store is open. */
interface WithdrawableSeries {
  open(): Promise<SeriesStore>;
  withdraw(withdrawal: Withdrawal): Promise<WithdrawalReport>;
}

async function fill(series: WithdrawableSeries, observed: readonly SlotObservation[]): Promise<void> {
  const store = await series.open();
  for (const observation of observed) await storeSlots(store, [{ observation, past: false }], NOW);
  await store.close();
}

/** All that can be read, titles that are known but have no data aside. */
async function contentOf(series: WithdrawableSeries): Promise<unknown> {
  const store = await series.open();
  const sites = await store.siteSnapshots(EVER);
  const titles = TITLES.map(async (titleId) => {
    const { matches } = await store.matches(titleId, EVER, { limit: 1000, offset: 0 });
    const [online, days] = [await store.titleOnline(titleId, EVER), await store.titleDays(titleId, EVER)];
    return { online, days, matches, records: await store.titleRecords(titleId) };
  });
  const slots = sites.map(async ({ slot }) => {
    const lobbies = (await store.lobbiesIn(slot)).map(({ titleId, hosts }) => [titleId, hosts.toSorted()]).sort();
    return [await store.titlesIn(slot), lobbies];
  });
  const hostings = HOSTS.map(async (host) =>
    (await store.hostings(host.toLowerCase(), EVER)).map(({ startedAt, endedAt }) => `${startedAt} ${endedAt}`).sort(),
  );
  const content = {
    sites,
    siteDays: await store.siteDays(EVER),
    registered: await store.registered(EVER),
    titles: await Promise.all(titles),
    slots: await Promise.all(slots),
    hostings: await Promise.all(hostings),
  };
  await store.close();
  return content;
}

type Hour = typeof slots extends fc.Arbitrary<infer Generated> ? Generated : never;

const observationsOf = (hour: Hour) =>
  hour.flatMap((slot, index): SlotObservation[] => {
    if (slot === null) return [];
    const titles = slot.titles.map((one, position) => observedTitle({ titleId: TITLES[position] ?? '', ...one }));
    return [{ ...slot, slot: formatInstant(FIRST + index * SLOT_SECONDS), titles }];
  });

const isWithin = ({ fromInclusive, toInclusive }: Withdrawal, { slot }: SlotObservation) =>
  slot >= formatInstant(fromInclusive) && slot <= formatInstant(toInclusive);

export interface WithdrawalSuite {
  create: () => Promise<WithdrawableSeries>;
  numRuns: number;
}

export function describeWithdrawal(adapter: string, { create, numRuns }: WithdrawalSuite): void {
  describe(`withdrawing slots from ${adapter}`, () => {
    it('leaves the store as if they had never been stored', async () => {
      await fc.assert(
        fc.asyncProperty(slots, fc.nat(11), fc.nat(11), async (hour, one, other) => {
          const observed = observationsOf(hour);
          const withdrawal = {
            fromInclusive: FIRST + Math.min(one, other) * SLOT_SECONDS,
            toInclusive: FIRST + Math.max(one, other) * SLOT_SECONDS,
          };
          const remaining = observed.filter((observation) => !isWithin(withdrawal, observation));
          const [series, expected] = [await create(), await create()];
          await fill(series, observed);
          expect((await series.withdraw(withdrawal)).slots).toBe(observed.length - remaining.length);
          await fill(expected, remaining);
          expect(await contentOf(series)).toEqual(await contentOf(expected));
        }),
        { numRuns },
      );
    });

    it('removes one title alone, whose slots have no number of lobbies then', async () => {
      const matches = [{ host: 'Ember', players: 2, maxPlayers: 8 }];
      const at = (index: number, online: number) => ({
        slot: formatInstant(FIRST + index * SLOT_SECONDS),
        registered: 9,
        online: 50,
        titles: TITLES.map((titleId) => observedTitle({ titleId, online, matches })),
      });
      const series = await create();
      await fill(series, [at(0, 7), at(1, 2929), at(2, 8)]);
      const slot = FIRST + SLOT_SECONDS;
      const report = await series.withdraw({ fromInclusive: slot, toInclusive: slot, titleId: TITLES[0] });
      expect(report).toMatchObject({ slots: 1, titleSnapshots: 1, matchSnapshots: 1 });
      expect(report.changes).toContainEqual({
        what: `record of ${TITLES[0] ?? ''}, online`,
        before: '2929 at 2026-01-15 23:35:00',
        after: '8 at 2026-01-15 23:40:00',
      });
      expect(report.changes.filter(({ what }) => what.includes(TITLES[1] ?? ''))).toEqual([]);
      const store = await series.open();
      const period = { after: FIRST - 1, until: NOW };
      expect(await store.siteOnline(period)).toHaveLength(3);
      expect(await store.siteLobbies(period)).toHaveLength(2);
      expect(await store.titleOnline(TITLES[0] ?? '', period)).toHaveLength(2);
      expect(await store.titleOnline(TITLES[1] ?? '', period)).toHaveLength(3);
      expect(await store.titleRecords(TITLES[0] ?? '')).toMatchObject({ online: [FIRST + 2 * SLOT_SECONDS, 8] });
      expect(await store.titleRecords(TITLES[1] ?? '')).toMatchObject({ online: [slot, 2929] });
      expect((await store.titleDays(TITLES[0] ?? '', EVER))[0]).toMatchObject({ peakOnline: 8, samples: 2 });
      await store.close();
    });

    it('keeps the records of other days, and the registered users of other readings', async () => {
      const series = await create();
      const at = (slot: number, online: number, registered: number | null): SlotObservation => ({
        slot: formatInstant(slot),
        registered,
        online: 50,
        titles: [observedTitle({ titleId: TITLES[0] ?? '', online })],
      });
      const DAY = 86_400;
      await fill(series, [at(FIRST - 4 * DAY, 30, 5), at(FIRST, 99, 6), at(FIRST + SLOT_SECONDS, 2, null)]);
      const before = await series.open();
      await before.putRegistered([{ day: FIRST - (FIRST % DAY), registered: 44, seenAt: FIRST + 600 }]);
      await before.close();
      await series.withdraw({ fromInclusive: FIRST, toInclusive: FIRST });
      const store = await series.open();
      expect(await store.titleRecords(TITLES[0] ?? '')).toMatchObject({ online: [FIRST - 4 * DAY, 30] });
      expect((await store.registered(EVER)).map(({ registered }) => registered)).toEqual([5, 44]);
      expect((await store.siteDays(EVER)).map(({ samples }) => samples)).toEqual([1, 1]);
      await store.close();
    });
  });
}

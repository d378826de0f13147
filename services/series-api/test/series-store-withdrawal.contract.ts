import { formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { cleanUp, observedTitle } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { openSqliteSeriesStore, type SeriesStore } from '../src/open-store.ts';
import type { SlotRange } from '../src/series/periods.ts';
import { storeSlots, withdrawStored } from '../src/ingest/store-slots.ts';
import type { SlotObservation } from '../src/slots/snapshots.ts';

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
  sessions: fc.constant(1),
  players: fc.constant(1),
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

async function fill(store: SeriesStore, observed: readonly SlotObservation[]): Promise<void> {
  for (const observation of observed) await storeSlots(store, [{ observation, past: false }], NOW);
}

/** All that can be read, titles that are known but have no data aside. */
async function contentOf(store: SeriesStore): Promise<unknown> {
  const sites = await store.siteSnapshots(EVER);
  const titles = TITLES.map(async (titleId) => {
    const { matches } = await store.matches(titleId, EVER, { limit: 1000, offset: 0 });
    const [online, days] = [await store.titleOnline(titleId, EVER), await store.titleDays(titleId, EVER)];
    return { online, days, matches, records: await store.titleRecords(titleId) };
  });
  const slots = sites.map(async ({ slot }) => {
    const lobbies = (await store.lobbiesIn(slot)).map(({ titleId, hosts }) => [titleId, hosts.toSorted()]).sort();
    const listed = await store.titlesIn(slot);
    return [listed.toSorted((one, other) => one.titleId.localeCompare(other.titleId)), lobbies];
  });
  // Stores may tell them in parts.
  const hostings = HOSTS.map(async (host) => {
    const parts = await store.hostings(host.toLowerCase(), EVER);
    const count = parts.reduce((sum, { matches }) => sum + matches, 0);
    return [count, Math.min(...parts.map((each) => each.startedAt)), Math.max(...parts.map((each) => each.endedAt))];
  });
  return {
    sites,
    siteDays: await store.siteDays(EVER),
    registered: await store.registered(EVER),
    titles: await Promise.all(titles),
    slots: await Promise.all(slots),
    hostings: await Promise.all(hostings),
  };
}

const observationsOf = (hour: readonly (object | null)[]) =>
  hour.flatMap((slot, index): SlotObservation[] => {
    if (slot === null) return [];
    const { titles, ...site } = slot as { registered: number | null; online: number; titles: object[] };
    const named = titles.map((one, position) => ({ titleId: TITLES[position], ...one }));
    return [{ slot: formatInstant(FIRST + index * SLOT_SECONDS), ...site, titles: named } as SlotObservation];
  });

const isWithin = ({ from, to }: SlotRange, { slot }: SlotObservation) =>
  slot >= formatInstant(from) && slot <= formatInstant(to);

export interface WithdrawalSuite {
  /** Returns an empty store each time. */
  create: () => Promise<SeriesStore>;
  numRuns: number;
}

export function describeWithdrawal(adapter: string, { create: open, numRuns }: WithdrawalSuite): void {
  const create = async () => {
    const store = await open();
    cleanUp(() => store.close());
    return store;
  };
  describe(`withdrawing slots from ${adapter}`, () => {
    it('leaves the store as if they had never been stored, and repetitions and late copies change nothing', async () => {
      await fc.assert(
        fc.asyncProperty(slots, fc.nat(11), fc.nat(11), fc.boolean(), async (hour, one, other, isRepeated) => {
          const observed = observationsOf(hour);
          const range = {
            from: FIRST + Math.min(one, other) * SLOT_SECONDS,
            to: FIRST + Math.max(one, other) * SLOT_SECONDS,
          };
          const remaining = observed.filter((observation) => !isWithin(range, observation));
          // Every store has the same content, and SQLite has it soonest.
          const never = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
          cleanUp(() => never.close());
          const store = await create();
          await fill(store, observed);
          await withdrawStored(store, range, NOW);
          if (isRepeated) {
            await withdrawStored(store, range, NOW);
            await fill(store, observed);
          }
          await fill(never, remaining);
          expect(await contentOf(store)).toEqual(await contentOf(never));
        }),
        { numRuns },
      );
    });

    it('lets a slot return that replaces it, whatever order the messages have', async () => {
      const at = (online: number, replaces?: number): SlotObservation => ({
        slot: formatInstant(FIRST),
        ...{ registered: null, online, titles: [] },
        ...(replaces !== undefined && { replaces: formatInstant(replaces) }),
      });
      const range = { from: FIRST, to: FIRST };
      const online = async (store: SeriesStore) => (await store.siteOnline(EVER)).map(([, count]) => count);
      const [store, other] = [await create(), await create()];
      await fill(store, [at(2929)]);
      await withdrawStored(store, range, NOW - 60);
      await fill(store, [at(29, NOW), at(2929)]);
      await withdrawStored(store, range, NOW - 60);
      expect(await online(store)).toEqual([29]);
      await fill(other, [at(2929), at(29, NOW)]);
      await withdrawStored(other, range, NOW - 60);
      expect(await online(other)).toEqual([29]);
      await withdrawStored(other, range, NOW + 60);
      await fill(other, [at(29, NOW)]);
      expect(await online(other)).toEqual([]);
    });

    it('keeps the records of other days, and the registered users of other readings', async () => {
      const store = await create();
      const at = (slot: number, online: number, registered: number | null): SlotObservation => ({
        slot: formatInstant(slot),
        registered,
        online: 50,
        titles: [observedTitle({ titleId: TITLES[0] ?? '', online })],
      });
      const DAY = 86_400;
      await fill(store, [at(FIRST - 4 * DAY, 30, 5), at(FIRST, 99, 6), at(FIRST + SLOT_SECONDS, 2, null)]);
      await store.putRegistered([{ day: FIRST - (FIRST % DAY), registered: 44, seenAt: FIRST + 600 }]);
      await withdrawStored(store, { from: FIRST, to: FIRST }, NOW);
      expect(await store.titleRecords(TITLES[0] ?? '')).toMatchObject({ online: [FIRST - 4 * DAY, 30] });
      expect((await store.registered(EVER)).map(({ registered }) => registered)).toEqual([5, 44]);
      expect((await store.siteDays(EVER)).map(({ samples }) => samples)).toEqual([1, 1]);
    });

    it('retracts the published end of a match that ends in another slot then', async () => {
      const store = await create();
      const at = (index: number, isOpen: boolean): SlotObservation => ({
        slot: formatInstant(FIRST + index * SLOT_SECONDS),
        ...{ registered: null, online: 1 },
        titles: [
          observedTitle({
            titleId: TITLES[0] ?? '',
            matches: isOpen ? [{ host: 'Owl', players: 1, maxPlayers: 8 }] : [],
          }),
        ],
      });
      await fill(store, [at(0, true), at(1, true), at(2, false), at(3, false)]);
      const second = FIRST + SLOT_SECONDS;
      const { retracted, ended } = await withdrawStored(store, { from: second, to: second }, NOW);
      expect(retracted).toEqual([{ titleId: TITLES[0], host: 'Owl', endedAt: second }]);
      expect(ended.flatMap(({ matches }) => matches)).toMatchObject([{ host: 'Owl', endedAt: FIRST }]);
    });

    it('removes titles with all that they have, and nothing of others', async () => {
      const store = await create();
      const matches = [{ host: 'Ember', players: 2, maxPlayers: 8 }];
      const [kept = '', removed = ''] = TITLES;
      await fill(store, [
        {
          slot: formatInstant(FIRST),
          registered: null,
          online: 9,
          titles: TITLES.map((titleId) => observedTitle({ titleId, matches })),
        },
      ]);
      await store.putTitleNames(
        5,
        TITLES.map((titleId) => ({ titleId, name: titleId })),
      );
      await store.removeTitles([removed]);
      expect((await store.titlesIn(FIRST)).map(({ titleId }) => titleId)).toEqual([kept]);
      expect([...(await store.titleNames()).keys()]).toEqual([kept]);
      expect(await store.title(removed)).toBeNull();
      expect(await store.titleOnline(removed, EVER)).toEqual([]);
      expect((await store.matches(removed, EVER, { limit: 9, offset: 0 })).total).toBe(0);
    });
  });
}

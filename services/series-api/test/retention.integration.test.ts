import { openSqliteSeriesStore, type SeriesStore } from '../src/open-store.ts';
import { startRetention, type RetentionStore } from '../src/ingest/retention.ts';
import { commitSlots } from './commit-slots.ts';
import { DAY, HARBOR, NOW, SLOT, TODAY } from './observations.ts';

const EVER = { after: 0, until: NOW * 2 };

describe('retention', () => {
  let store: SeriesStore;
  beforeEach(() => {
    store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
  });
  afterEach(() => store.close());

  const slots = async () => (await store.siteOnline(EVER)).map(([slot]) => slot);
  const days = async () => (await store.registered(EVER)).map(({ day }) => day);
  const putRegistered = (...of: number[]) =>
    store.putRegistered(of.map((day) => ({ day, registered: 1, seenAt: day })));
  const commit = (...of: number[]) =>
    commitSlots(
      store,
      of.map((slot) => [slot, { titles: { [HARBOR]: {} } }]),
    );

  it('removes snapshots after 30 days and dailies after 800', async () => {
    await commit(NOW - 31 * DAY, NOW - 30 * DAY, NOW - 30 * DAY + SLOT, NOW);
    await putRegistered(TODAY - 801 * DAY, TODAY - 800 * DAY, TODAY - 799 * DAY);
    await purgeAll(store, NOW);
    expect(await slots()).toEqual([NOW - 30 * DAY + SLOT, NOW]);
    expect(await days()).toEqual([TODAY - 799 * DAY]);
  });

  it.each([31, 800, 36_500])('a clock that is %d days ahead removes no data', async (ahead) => {
    await commit(NOW - 28 * DAY, NOW);
    await store.rollUp([TODAY - 28 * DAY, TODAY]);
    await putRegistered(TODAY - 798 * DAY, TODAY);
    await purgeAll(store, NOW + ahead * DAY);
    expect(await slots()).toEqual([NOW - 28 * DAY, NOW]);
    expect(await days()).toEqual([TODAY - 798 * DAY, TODAY]);
    expect((await store.titleDays(HARBOR, EVER)).map(({ day }) => day)).toEqual([TODAY - 28 * DAY, TODAY]);
  });

  it('follows the newest registered count where it is newer than the newest slot', async () => {
    await putRegistered(TODAY - 820 * DAY, TODAY - 19 * DAY);
    await purgeAll(store, NOW + 900 * DAY);
    expect(await days()).toEqual([TODAY - 19 * DAY]);
    await commit(NOW - 50 * DAY, NOW - 20 * DAY);
    await putRegistered(TODAY - 798 * DAY, TODAY);
    await purgeAll(store, NOW + 900 * DAY);
    expect(await slots()).toEqual([NOW - 20 * DAY]);
    expect(await days()).toEqual([TODAY - 798 * DAY, TODAY - 19 * DAY, TODAY]);
  });

  it('removes nothing early when the clock is behind', async () => {
    await commit(NOW - 40 * DAY, NOW);
    await purgeAll(store, NOW - 20 * DAY);
    expect(await slots()).toEqual([NOW - 40 * DAY, NOW]);
  });

  it('does not purge an empty store', async () => {
    const purge = jest.fn(() => Promise.resolve(false));
    await purgeAll({ ...store, purge }, NOW);
    expect(purge).not.toHaveBeenCalled();
  });
});

/** Lets retention work at a fixed instant until it finds nothing more. */
async function purgeAll(store: RetentionStore, now: number): Promise<void> {
  const { promise, resolve: finished, reject } = Promise.withResolvers<undefined>();
  const retention = startRetention({
    store: {
      ...store,
      registered: async (period) => {
        const found = await store.registered(period);
        if (found.length === 0 && (await store.slotBefore(Infinity)) === null) finished(undefined);
        return found;
      },
      purge: async (expiry, slots) => {
        const more = await store.purge(expiry, slots);
        if (!more) finished(undefined);
        return more;
      },
    },
    now: () => now,
    onFault: reject,
  });
  try {
    await promise;
  } finally {
    await retention.stop();
  }
}

import { titleTotalsReader } from '../src/totals/title-totals.ts';
import { openSqliteSeriesStore, type SeriesStore } from '../src/open-store.ts';
import { commitSlots } from './commit-slots.ts';
import { DAY, HARBOR, HOUR, NOW, SLOT } from './observations.ts';

let store: SeriesStore;
let reads: number;
beforeEach(() => {
  store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
  reads = 0;
});
afterEach(() => store.close());

const counted = () => ({
  ...store,
  titlePeaks: (period: Parameters<SeriesStore['titlePeaks']>[0]) => {
    reads += 1;
    return store.titlePeaks(period);
  },
});
const lastDay = (now: number) => ({ after: now - DAY, until: now });
const playing = (online: number) => ({ titles: { [HARBOR]: { online } } });

describe('totals of all titles', () => {
  it('are read once for equal periods, also at another second of the slot', async () => {
    await commitSlots(store, [[NOW, playing(5)]]);
    const totals = titleTotalsReader(counted());
    const [first] = await totals([lastDay(NOW)], NOW);
    const before = reads;
    const [again] = await totals([lastDay(NOW + 1)], NOW + 1);
    expect(again).toEqual(first);
    expect([before > 0, reads]).toEqual([true, before]);
  });

  it('have a new slot, and an older one of a backfill', async () => {
    await commitSlots(store, [[NOW, playing(5)]]);
    const totals = titleTotalsReader(counted());
    const peak = async (now: number) => (await totals([lastDay(now)], now))[0]?.get(HARBOR);
    expect(await peak(NOW)).toMatchObject({ peak: 5, samples: 1 });
    await commitSlots(store, [[NOW - HOUR, playing(7)]]);
    expect(await peak(NOW)).toMatchObject({ peak: 7, samples: 2 });
    await commitSlots(store, [[NOW + SLOT, playing(9)]]);
    expect(await peak(NOW + SLOT)).toMatchObject({ peak: 9, samples: 3 });
  });

  it('are read again after a failure', async () => {
    await commitSlots(store, [[NOW, playing(5)]]);
    let isAway = true;
    const titlePeaks: SeriesStore['titlePeaks'] = (period) =>
      isAway ? Promise.reject(new Error('away')) : store.titlePeaks(period);
    const totals = titleTotalsReader({ ...store, titlePeaks });
    await expect(totals([lastDay(NOW)], NOW)).rejects.toThrow('away');
    isAway = false;
    expect((await totals([lastDay(NOW)], NOW))[0]?.get(HARBOR)?.peak).toBe(5);
  });
});

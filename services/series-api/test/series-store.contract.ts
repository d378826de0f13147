import type { SeriesStore } from '../src/open-store.ts';
import { describeDays } from './series-store-days.contract.ts';
import { describeHostings } from './series-store-hostings.contract.ts';
import { describeMatches } from './series-store-matches.contract.ts';
import { describeRetention } from './series-store-retention.contract.ts';
import { describeSlots } from './series-store-slots.contract.ts';

/** Contract of every {@link SeriesStore}. `open` returns an empty store each time. */
export function describeSeriesStore(adapter: string, open: () => SeriesStore | Promise<SeriesStore>): void {
  describe(`${adapter} as a series store`, () => {
    let current: SeriesStore;
    const store = () => current;
    beforeEach(async () => {
      current = await open();
    });
    afterEach(async () => {
      await current.close();
    });

    it('passes its health check', async () => {
      await expect(store().check()).resolves.toBeUndefined();
    });

    describeSlots(store);
    describeMatches(store);
    describeHostings(store);
    describeDays(store);
    describeRetention(store);
  });
}

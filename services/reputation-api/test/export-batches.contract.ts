import { OwnRatings } from '../src/ratings/own-ratings.ts';
import { RATINGS_PER_BATCH } from '../src/ratings/rated-users.ts';
import type { ReputationStore } from '../src/open-store.ts';
import { ratedUser, put, rating } from './stored-ratings.ts';

/** Export of several batches, for every store. `open` returns an empty store each time. */
export function describeExportBatches(adapter: string, open: () => Promise<ReputationStore>): void {
  describe(`export of ratings in ${adapter}`, () => {
    it('contains each rating once when others arrive between batches', async () => {
      const store = await open();
      const keys = Array.from({ length: 2 * RATINGS_PER_BATCH }, (_, index) => `p${index}`);
      await put(store, {
        users: ['a', ...keys].map((key) => ratedUser(key)),
        ratings: keys.flatMap((key) => [rating('a', key), rating(key, 'a')]),
      });
      let newest = 0;
      const pause = async () => {
        newest += 1;
        const late = { createdAt: 1_800_000_000 + newest };
        const ratings = [rating('a', `_${newest}`, late), rating(`_${newest}`, 'a', late)];
        await put(store, { users: [ratedUser(`_${newest}`)], ratings });
      };
      const timeouts = { timeoutMs: 60_000, onChanged: () => undefined };
      const own = new OwnRatings({ store, pause, clock: () => 1_800_000_000_000, origin: 'simulated', ...timeouts });
      const { given, received } = await own.export('A');
      const earlier = (names: string[]) => names.filter((name) => !name.startsWith('_')).sort();
      expect(earlier(given.map(({ username }) => username))).toEqual(keys.toSorted());
      expect(earlier(received.map(({ raterUsername }) => raterUsername))).toEqual(keys.toSorted());
      await store.close();
    });
  });
}

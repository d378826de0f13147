import { ratingStored, usernameKey } from '@lobbystats/contracts';
import { openSqliteReputationStore } from '../src/database/reputation-store.sqlite.ts';
import { createRatingQueue } from '../src/ratings/rate-profiles.ts';
import { ratedUser, put } from './stored-ratings.ts';

describe('facts of ratings in one commit', () => {
  it('contain the totals of each profile once and the count of each rater once', async () => {
    const store = openSqliteReputationStore('sqlite::memory:', 'simulated');
    await put(store, { users: [ratedUser('emberfox'), ratedUser('wren')] });
    const ratings = createRatingQueue({
      store,
      clock: () => 1_800_000_000_000,
      origin: 'simulated',
      pause: async () => undefined,
      timeoutMs: 900,
      onRated: () => undefined,
    });
    const rate = (raterUsername: string, username: string, stars: number) =>
      ratings.add({
        ...{ profileKey: usernameKey(username), raterKey: usernameKey(raterUsername), raterUsername, stars },
        comment: null,
      });
    await Promise.all([
      ...Array.from({ length: 100 }, (_, index) => rate(`Rater ${index}`, 'EmberFox', 4)),
      rate('Rater 0', 'Wren', 1),
      rate('RATER 1', 'EmberFox', 5),
    ]);
    const facts = await store.outbox.pending(10);
    expect(facts.map(({ type, data }) => ({ type, ...ratingStored.data.parse(data) }))).toEqual([
      {
        type: ratingStored.key,
        username: 'emberfox',
        average: 4.1,
        ratingCount: 100,
        raters: Array.from({ length: 100 }, (_, index) => ({
          username: `Rater ${index}`,
          ratingsGiven: index === 0 ? 2 : 1,
        })),
      },
      {
        type: ratingStored.key,
        username: 'wren',
        average: 4.64,
        ratingCount: 1,
        raters: [{ username: 'Rater 0', ratingsGiven: 2 }],
      },
    ]);
    await store.close();
  });
});

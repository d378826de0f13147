import { openSqliteReputationStore } from '../src/open-store.ts';
import { RatedUsers, RATINGS_PER_BATCH } from '../src/ratings/rated-users.ts';
import { Moderation } from '../src/moderation/moderation.ts';
import { ratedUser, put, rating } from './stored-ratings.ts';

describe('changes of many ratings', () => {
  it.each<[string, (ratedUsers: RatedUsers, moderation: Moderation) => Promise<unknown>]>([
    ['erasure', (ratedUsers) => ratedUsers.erase('marlow')],
    ['new spelling of a username', (ratedUsers) => ratedUsers.upsert(2, [{ username: 'Marlow', gamertag: '' }])],
    ['bar', (_people, moderation) => moderation.bar('marlow')],
  ])('pause between batches: %s', async (_name, work) => {
    const store = openSqliteReputationStore('sqlite::memory:', 'simulated');
    const keys = Array.from({ length: 3 * RATINGS_PER_BATCH }, (_, index) => `p${index}`);
    await put(store, {
      users: [...keys.map((key) => ratedUser(key)), ratedUser('marlow', { ratingsGiven: keys.length })],
      ratings: keys.map((key) => rating('marlow', key)),
    });
    let pauseCount = 0;
    const pause = async () => {
      pauseCount += 1;
    };
    const deps = { store, clock: () => 1_800_000_000_000, origin: 'simulated', pause };
    await work(new RatedUsers(deps), new Moderation(deps));
    expect(pauseCount).toBeGreaterThanOrEqual(3);
    await store.close();
  });
});

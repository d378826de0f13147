import { openSqliteReputationStore } from '../src/adapters/sqlite/sqlite-reputation-store.ts';
import { RatedUsers, RATINGS_PER_BATCH } from '../src/domain/rated-users.ts';
import { Moderation } from '../src/domain/moderation.ts';
import { ratedUser, put, rating } from './stored-ratings.ts';

describe('changes of many ratings', () => {
  it.each<[string, (people: RatedUsers, moderation: Moderation) => Promise<unknown>]>([
    ['erasure', (people) => people.erase('marlow')],
    ['new spelling of a username', (people) => people.upsert(2, [{ username: 'Marlow', gamertag: '' }])],
    ['bar', (_people, moderation) => moderation.bar('marlow')],
  ])('pause between batches: %s', async (_name, work) => {
    const store = openSqliteReputationStore('sqlite::memory:', 'simulated');
    const keys = Array.from({ length: 3 * RATINGS_PER_BATCH }, (_, index) => `p${index}`);
    await put(store, {
      users: [...keys.map((key) => ratedUser(key)), ratedUser('marlow', { ratingsGiven: keys.length })],
      ratings: keys.map((key) => rating('marlow', key)),
    });
    let turns = 0;
    const pause = async () => {
      turns += 1;
    };
    const desk = { store, clock: () => 1_800_000_000_000, origin: 'simulated', pause };
    await work(new RatedUsers(desk), new Moderation(desk));
    expect(turns).toBeGreaterThanOrEqual(3);
    await store.close();
  });
});

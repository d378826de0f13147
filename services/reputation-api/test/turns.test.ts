import { openSqliteReputationStore } from '../src/adapters/sqlite/sqlite-reputation-store.ts';
import { KnownPeople, RATINGS_AT_ONCE } from '../src/domain/known-people.ts';
import { Moderation } from '../src/domain/moderation.ts';
import { person, put, rating } from './stored-ratings.ts';

describe('work on many ratings', () => {
  it.each<[string, (people: KnownPeople, moderation: Moderation) => Promise<unknown>]>([
    ['forgetting', (people) => people.forget('marlow')],
    ['learning of another spelling', (people) => people.learn(2, [{ username: 'Marlow', gamertag: '' }])],
    ['barring', (_people, moderation) => moderation.bar('marlow')],
  ])('lets others have their turn between its parts: %s', async (_name, work) => {
    const store = openSqliteReputationStore('sqlite::memory:', 'simulated');
    const keys = Array.from({ length: 3 * RATINGS_AT_ONCE }, (_, index) => `p${index}`);
    await put(store, {
      people: [...keys.map((key) => person(key)), person('marlow', { ratingsGiven: keys.length })],
      ratings: keys.map((key) => rating('marlow', key)),
    });
    let turns = 0;
    const pause = async () => {
      turns += 1;
    };
    const desk = { store, clock: () => 1_800_000_000_000, origin: 'simulated', pause };
    await work(new KnownPeople(desk), new Moderation(desk));
    expect(turns).toBeGreaterThanOrEqual(3);
    await store.close();
  });
});

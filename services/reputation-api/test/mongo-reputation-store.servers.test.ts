import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { openMongoReputationStore } from '../src/adapters/mongo/mongo-reputation-store.ts';
import { mongoRatings } from './mongo-ratings.ts';
import { describeReputationStore } from './reputation-store.contract.ts';
import { look, person, put } from './stored-ratings.ts';

let database: PreparedMongo;
beforeAll(async () => {
  database = await mongoRatings('test_ratings');
});
beforeEach(() => database.empty());
afterAll(() => database.empty());

const open = () => openMongoReputationStore(database.url, 'simulated');

describeReputationStore('MongoDB', open);

describe('a database of ratings', () => {
  it('is shared by replicas: changes of two at once are made one after the other', async () => {
    const replicas = await Promise.all([open(), open()]);
    const addOne = (store: (typeof replicas)[number]) =>
      store.change({ people: ['a'] }, ({ revision, people }) => {
        const before = people.get('a') ?? person('a');
        const after = { ...before, ratingCount: before.ratingCount + 1 };
        const nothing = { removedPeople: [], ratings: [], removedRatings: [], forgotten: [], facts: [] };
        return { result: undefined, change: { revision: revision + 1, people: [after], ...nothing } };
      });
    for (let round = 0; round < 10; round += 1) await Promise.all(replicas.map(addOne));
    const [first, second] = replicas;
    expect((await look(first, { people: ['a'] })).people[0]?.ratingCount).toBe(20);
    await put(first, { forgotten: ['c'] });
    expect((await look(second, { mayBeForgotten: ['c'] })).forgotten).toEqual(['c']);
    await put(second, { people: [person('b')] });
    expect((await look(first, { people: ['b'] })).revision).toBe(22);
    for (const replica of replicas) await replica.close();
  });
});

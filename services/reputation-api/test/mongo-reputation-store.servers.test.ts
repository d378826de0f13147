import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoReputationStore } from '../src/open-store.ts';
import { describeExportBatches } from './export-batches.contract.ts';
import { prepareRatingsDatabase } from './prepare-ratings-database.ts';
import { describeReputationStore } from './reputation-store.contract.ts';
import type { Rating } from '../src/ratings/rating.ts';
import { readBack, ratedUser, put, rating } from './stored-ratings.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await prepareRatingsDatabase('test_ratings');
});
beforeEach(() => database.clear());
afterAll(() => database.clear());

const open = () => openMongoReputationStore(database.url, 'simulated');

describeReputationStore('MongoDB', open);
describeExportBatches('MongoDB', open);

describe('ratings database in MongoDB', () => {
  it('keeps ratings that were stored without reports', async () => {
    const store = await open();
    const { reportedAt: _at, reportReason: _reason, reportedComment: _comment, ...old } = rating('a', 'p');
    await put(store, { users: [ratedUser('p')], ratings: [old as Rating] });
    expect(await store.ratingsGiven('a', { offset: 0, limit: 10 })).toEqual([
      { ...rating('a', 'p'), profileUsername: 'p' },
    ]);
    expect(await store.reportedRatings(10)).toEqual([]);
    await store.close();
  });

  it('serialises concurrent changes of two replicas', async () => {
    const replicas = await Promise.all([open(), open()]);
    const addOne = (store: (typeof replicas)[number]) =>
      store.change({ users: ['a'] }, ({ revision, users }) => {
        const before = users.find(({ key }) => key === 'a') ?? ratedUser('a');
        const after = { ...before, ratingCount: before.ratingCount + 1 };
        const nothing = { removedUsers: [], ratings: [], removedRatings: [], erased: [], facts: [] };
        return { result: undefined, change: { revision: revision + 1, users: [after], ...nothing } };
      });
    for (let round = 0; round < 10; round += 1) await Promise.all(replicas.map(addOne));
    const [first, second] = replicas;
    expect((await readBack(first, { users: ['a'] })).people[0]?.ratingCount).toBe(20);
    await put(first, { erased: ['c'] });
    expect((await readBack(second, { maybeErased: ['c'] })).erased).toEqual(['c']);
    await put(second, { users: [ratedUser('b')] });
    expect((await readBack(first, { users: ['b'] })).revision).toBe(22);
    for (const replica of replicas) await replica.close();
  });
});

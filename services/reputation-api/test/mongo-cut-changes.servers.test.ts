import { cutMongo } from '../../../test/stack/cut-mongo.ts';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { openMongoReputationStore } from '../src/adapters/mongo/mongo-reputation-store.ts';
import { describeCutChanges } from './cut-changes.contract.ts';
import { mongoRatings } from './mongo-ratings.ts';

let database: PreparedMongo;
beforeAll(async () => {
  database = await mongoRatings('test_cut_ratings');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => database.empty());

describeCutChanges('MongoDB', {
  async open() {
    await database.empty();
    return openMongoReputationStore(database.url, 'simulated');
  },
  reopen: () => openMongoReputationStore(database.url, 'simulated'),
  cutAfter: cutMongo,
});

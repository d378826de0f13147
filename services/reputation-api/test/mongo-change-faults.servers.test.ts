import { failMongoAfter } from '../../../test/stack/fail-mongo-after.ts';
import type { TestDatabase } from '../../../test/stack/test-database.ts';
import { openMongoReputationStore } from '../src/adapters/mongo/mongo-reputation-store.ts';
import { describeChangeFaults } from './change-faults.contract.ts';
import { prepareRatingsDatabase } from './prepare-ratings-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await prepareRatingsDatabase('test_cut_ratings');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => database.clear());

describeChangeFaults('MongoDB', {
  async open() {
    await database.clear();
    return openMongoReputationStore(database.url, 'simulated');
  },
  reopen: () => openMongoReputationStore(database.url, 'simulated'),
  failAfter: failMongoAfter,
});

import { failMongoAfter } from '@lobbystats/test-kit/fail-mongo-after';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoReputationStore } from '../src/open-store.ts';
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

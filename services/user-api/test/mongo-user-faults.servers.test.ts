import { failMongoAfter } from '@lobbystats/test-kit/fail-mongo-after';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoUserDatabase } from '../src/user-database.mongo.ts';
import { describeUserFaults } from './user-faults.contract.ts';
import { prepareUserDatabase } from './prepare-user-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await prepareUserDatabase('test_people_cuts');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => database.clear());

const reopen = () => openMongoUserDatabase(database.url, 'simulated');

describeUserFaults('MongoDB', {
  async open() {
    await database.clear();
    return reopen();
  },
  reopen,
  failAfter: failMongoAfter,
});

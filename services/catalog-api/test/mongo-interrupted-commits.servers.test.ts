import { failMongoAfter } from '@lobbystats/test-kit/fail-mongo-after';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoCatalogStore } from '../src/open-store.ts';
import { describeInterruptedCommits } from './interrupted-commits.contract.ts';
import { prepareCatalogDatabase } from './prepare-catalog-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await prepareCatalogDatabase('test_cut_commits');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => database.clear());

describeInterruptedCommits('MongoDB', {
  async open() {
    await database.clear();
    return openMongoCatalogStore(database.url, 'simulated');
  },
  reopen: () => openMongoCatalogStore(database.url, 'simulated'),
  failAfter: failMongoAfter,
  mayCompleteLater: true,
});

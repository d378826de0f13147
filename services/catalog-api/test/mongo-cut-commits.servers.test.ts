import { cutMongo } from '../../../test/stack/cut-mongo.ts';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { openMongoCatalogStore } from '../src/adapters/mongo/mongo-catalog-store.ts';
import { describeCutCommits } from './cut-commits.contract.ts';
import { mongoTitles } from './mongo-titles.ts';

let database: PreparedMongo;
beforeAll(async () => {
  database = await mongoTitles('test_cut_commits');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => database.empty());

describeCutCommits('MongoDB', {
  async open() {
    await database.empty();
    return openMongoCatalogStore(database.url, 'simulated');
  },
  reopen: () => openMongoCatalogStore(database.url, 'simulated'),
  cutAfter: cutMongo,
  mayBeFinished: true,
});

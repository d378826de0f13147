import { Collection } from 'mongodb';
import { openMongoCatalogStore } from '../src/adapters/mongo/mongo-catalog-store.ts';
import { describeCutCommits } from './cut-commits.contract.ts';
import { mongoTitles, type MongoTitles } from './mongo-titles.ts';

let database: MongoTitles;
beforeAll(async () => {
  database = await mongoTitles('test_cut_commits');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => database.empty());

/** The driver's methods that commits write with. */
const WRITING = ['bulkWrite', 'insertMany', 'updateOne', 'findOneAndUpdate', 'deleteMany'] as const;

describeCutCommits('MongoDB', {
  async open() {
    await database.empty();
    return openMongoCatalogStore(database.url, 'simulated');
  },
  reopen: () => openMongoCatalogStore(database.url, 'simulated'),
  cutAfter(statements) {
    let left = statements;
    const cuts = WRITING.map((name) => {
      const write = Reflect.get(Collection.prototype, name) as (...args: unknown[]) => Promise<never>;
      return jest.spyOn(Collection.prototype, name).mockImplementation(function (this: Collection, ...args) {
        if (left === 0) throw new Error('cut off');
        left -= 1;
        return write.apply(this, args);
      });
    });
    return () => {
      for (const cut of cuts) cut.mockRestore();
    };
  },
});

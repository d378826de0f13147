import { cutMongo } from '../../../test/stack/cut-mongo.ts';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { openMongoPeopleStore } from '../src/adapters/mongo/mongo-people-store.ts';
import { describeCutStore } from './cut-store.contract.ts';
import { mongoPeople } from './stored-mongo.ts';

let database: PreparedMongo;
beforeAll(async () => {
  database = await mongoPeople('test_people_cuts');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => database.empty());

const reopen = () => openMongoPeopleStore(database.url, 'simulated');

describeCutStore('MongoDB', {
  async open() {
    await database.empty();
    return reopen();
  },
  reopen,
  cutAfter: cutMongo,
});

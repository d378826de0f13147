import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoReputationStore } from '../src/open-store.ts';
import { prepareRatingsDatabase } from './prepare-ratings-database.ts';
import { describeReputationLaws } from './reputation-laws.contract.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await prepareRatingsDatabase('test_rating_laws');
});
afterAll(() => database.clear());

const open = async () => {
  await database.clear();
  return openMongoReputationStore(database.url, 'simulated');
};

describeReputationLaws('MongoDB', open, 5);

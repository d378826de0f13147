import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { openMongoReputationStore } from '../src/adapters/mongo/mongo-reputation-store.ts';
import { mongoRatings } from './mongo-ratings.ts';
import { describeReputationLaws } from './reputation-laws.contract.ts';

let database: PreparedMongo;
beforeAll(async () => {
  database = await mongoRatings('test_rating_laws');
});
afterAll(() => database.empty());

const open = async () => {
  await database.empty();
  return openMongoReputationStore(database.url, 'simulated');
};

describeReputationLaws('MongoDB', open, 5);

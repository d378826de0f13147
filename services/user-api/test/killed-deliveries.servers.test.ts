import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { describeKilledDeliveries } from './killed-deliveries.contract.ts';
import { prepareUserDatabase } from './prepare-user-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await prepareUserDatabase('test_killed_deliveries');
});
afterAll(() => database.clear());

describeKilledDeliveries('MongoDB', async () => {
  await database.clear();
  return database.url;
});

import { openMongoStore } from '@lobbystats/mongo-store';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { MongoEventStore } from '../src/adapters/mongo/mongo-event-store.ts';
import { MongoOutbox } from '@lobbystats/mongo-store';
import { catalogSchema } from '../src/service.ts';
import { describeEventStore } from './event-store.contract.ts';
import { mongoTitles } from './mongo-titles.ts';

let database: PreparedMongo;
beforeAll(async () => {
  database = await mongoTitles('test_events');
});
beforeEach(() => database.empty());
afterAll(() => database.empty());

describeEventStore('MongoDB', async () => {
  const store = await openMongoStore({ url: database.url, schema: catalogSchema, origin: 'simulated' });
  const outbox = new MongoOutbox(store, 'catalog');
  const events = new MongoEventStore(store, outbox);
  await events.begin();
  return { events, outbox, close: () => store.close() };
});

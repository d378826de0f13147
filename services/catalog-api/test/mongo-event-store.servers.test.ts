import { openMongoStore } from '@lobbystats/mongo-store';
import { mongoOperations } from '../../../test/stack/mongo-operations.ts';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { MongoEventStore } from '../src/adapters/mongo/mongo-event-store.ts';
import { MongoOutbox } from '@lobbystats/mongo-store';
import { catalogSchema } from '../src/service.ts';
import { describeEventStore } from './event-store.contract.ts';
import { announced } from './events.ts';
import { mongoTitles } from './mongo-titles.ts';

const DATABASE = 'test_events';

let database: PreparedMongo;
beforeAll(async () => {
  database = await mongoTitles(DATABASE);
});
beforeEach(() => database.empty());
afterAll(() => database.empty());

const open = async () => {
  const store = await openMongoStore({ url: database.url, schema: catalogSchema, origin: 'simulated' });
  const outbox = new MongoOutbox(store, 'catalog');
  const events = new MongoEventStore(store, outbox);
  await events.begin();
  return { events, outbox, close: () => store.close() };
};

describeEventStore('MongoDB', open);

describe('the list of events in MongoDB', () => {
  it('is read without reading the archive', async () => {
    const { events, close } = await open();
    const stored = Array.from({ length: 20 }, (_, id) => ({ event: announced({ id }), startsAt: id, endsAt: null }));
    const [put, archived] = [stored.slice(0, 2), stored.slice(2)];
    const change = { expectedRevision: 0, seenAt: 1, changedAt: 1, removed: [], facts: [] };
    await events.commitEvents({ ...change, put, archived });
    const operations = mongoOperations(DATABASE);
    const made = await operations.of(() => events.readEvents());
    expect(made.filter(({ ns }) => ns === `${DATABASE}.event`)).toMatchObject([
      { planSummary: expect.stringMatching(/^IXSCAN/), docsExamined: 2 },
    ]);
    await operations.close();
    await close();
  });
});

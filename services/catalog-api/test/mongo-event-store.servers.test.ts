import { openMongoStore } from '@lobbystats/service-kit/mongo';
import { mongoOperations } from '@lobbystats/test-kit/mongo-operations';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { createCatalogRows } from '../src/database/catalog-store.mongo.ts';
import { mongoEventStore } from '../src/events/event-store.mongo.ts';
import { MongoOutbox } from '@lobbystats/service-kit/mongo';
import { catalogSchema } from '../src/admin.ts';
import { describeEventStore } from './event-store.contract.ts';
import { announced } from './events.ts';
import { prepareCatalogDatabase } from './prepare-catalog-database.ts';

const DATABASE = 'test_events';

let database: TestDatabase;
beforeAll(async () => {
  database = await prepareCatalogDatabase(DATABASE);
});
beforeEach(() => database.clear());
afterAll(() => database.clear());

const open = async () => {
  const store = await openMongoStore({ url: database.url, schema: catalogSchema, origin: 'simulated' });
  const outbox = new MongoOutbox(store, 'catalog');
  await createCatalogRows(store);
  return { events: mongoEventStore(store, outbox), outbox, close: () => store.close() };
};

describeEventStore('MongoDB', open);

describe('list of events in MongoDB', () => {
  it('reads listed events without examining archived ones', async () => {
    const { events, close } = await open();
    const stored = Array.from({ length: 20 }, (_, id) => ({
      ...{ event: announced({ id }), startsAt: id, endsAt: null },
      ...{ changedAt: 1, revisedAt: 1 },
    }));
    const [put, archived] = [stored.slice(0, 2), stored.slice(2)];
    const change = { expectedRevision: 0, seenAt: 1, changedAt: 1, removed: [], facts: [] };
    await events.commitEvents({ ...change, put, archived });
    const operations = mongoOperations(DATABASE);
    const queries = await operations.during(() => events.readEvents());
    expect(queries.filter(({ ns }) => ns === `${DATABASE}.event`)).toMatchObject([
      { planSummary: expect.stringMatching(/^IXSCAN/), docsExamined: 2 },
    ]);
    await operations.close();
    await close();
  });
});

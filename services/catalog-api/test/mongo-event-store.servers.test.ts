import { mongoOperations } from '@lobbystats/test-kit/mongo-operations';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoCatalog } from '../src/database/open.mongo.ts';
import { eventsInMongo } from '../src/events/events.queries.ts';
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
  const catalog = await openMongoCatalog(database.url, 'simulated');
  return { events: eventsInMongo(catalog), outbox: catalog.outbox, close: () => catalog.store.close() };
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

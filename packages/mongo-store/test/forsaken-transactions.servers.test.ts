import { MongoClient } from 'mongodb';
import os from 'node:os';
import { cleanUp, eventually, testServers } from '@lobbystats/test-kit';
import { openMongoStore, provisionMongo, type MongoSchema, type MongoStore } from '../src/index.ts';

const DATABASE = 'test_forsaken';
/** The server alone ends it after 10 s at the earliest. */
const SOON_MS = 7000;
const schema: MongoSchema = { name: 'counters', version: 1, collections: [{ name: 'counter', indexes: [] }] };

interface Counter {
  readonly _id: string;
  readonly value: number;
}

let url: string;
let store: MongoStore;

beforeAll(async () => {
  const adminUrl = testServers().mongodb.url;
  await provisionMongo({ adminUrl, database: DATABASE, user: 'counters', password: 'x', schema, log: () => undefined });
  const own = new URL(adminUrl);
  own.username = 'counters';
  own.password = 'x';
  own.pathname = DATABASE;
  own.searchParams.set('authSource', DATABASE);
  url = own.href;
  store = await openMongoStore({ url, schema, origin: 'simulated' });
  cleanUp(() => store.close(), 'file');
});
beforeEach(async () => {
  await store.collection('counter').deleteMany({});
  await store.collection<Counter>('counter').insertOne({ _id: 'one', value: 0 });
});

/** Adds to the counter in a transaction; gives how long it took, in milliseconds. */
async function add(value: number): Promise<number> {
  const begunMs = performance.now();
  await store.transaction((session) =>
    store.collection<Counter>('counter').updateOne({ _id: 'one' }, { $inc: { value } }, { session }),
  );
  return performance.now() - begunMs;
}

const value = async () => (await store.collection<Counter>('counter').findOne({ _id: 'one' }))?.value;

describe('a transaction', () => {
  it('that a killed process has left holds nobody up for long', async () => {
    const killed = new MongoClient(url, { runtimeAdapters: { os } });
    cleanUp(() => killed.close());
    const session = killed.startSession();
    session.startTransaction();
    await killed
      .db()
      .collection<Counter>('counter')
      .updateOne({ _id: 'one' }, { $inc: { value: 1 } }, { session });
    expect(await add(10)).toBeLessThan(SOON_MS);
    expect(await value()).toBe(10);
    await expect(session.commitTransaction()).rejects.toThrow(/aborted/);
  });

  it('in which something happens again and again is waited for, however long it takes', async () => {
    const begun = Promise.withResolvers<undefined>();
    const slow = store.transaction(async (session) => {
      const counters = store.collection<Counter>('counter');
      for (let step = 0; step < 5; step += 1) {
        await counters.updateOne({ _id: 'one' }, { $inc: { value: 1 } }, { session });
        begun.resolve(undefined);
        const untilMs = performance.now() + 1000;
        await eventually(() => expect(performance.now()).toBeGreaterThan(untilMs), { timeoutMs: 2000 });
      }
    });
    await begun.promise;
    await Promise.all([slow, add(10)]);
    expect(await value()).toBe(15);
  });
});

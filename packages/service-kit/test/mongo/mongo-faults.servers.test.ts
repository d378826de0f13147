import os from 'node:os';
import { cleanUp, eventually, untilAnswered } from '@lobbystats/test-kit';
import { MongoClient } from 'mongodb';
import {
  openMongoStore,
  provisionMongo,
  REQUEST_TIMEOUT_MS,
  type MongoSchema,
  type MongoStore,
} from '../../src/mongo/index.ts';
import { startMongod, type TestMongod } from '@lobbystats/test-kit/test-mongod';

const schema: MongoSchema = {
  name: 'pairs',
  version: 1,
  collections: [
    { name: 'left', indexes: [] },
    { name: 'right', indexes: [] },
  ],
};

let server: TestMongod;
let store: MongoStore;
let url: string;
beforeAll(async () => {
  server = await startMongod();
  await provisionMongo({
    adminUrl: server.url,
    database: 'pairs',
    user: 'pairs',
    password: 'secret',
    schema,
    log: () => undefined,
  });
  url = server.url.replace('//', '//pairs:secret@').replace('/?', '/pairs?');
  store = await openMongoStore({ url, schema, origin: 'simulated' });
});
afterAll(async () => {
  await store.close();
  await server.remove();
});

let lastId = 0;
const newId = () => (lastId += 1);

/** Inserts a document into each of two collections, in one transaction. */
const putPair = (_id: number) =>
  store.transaction(async (session) => {
    await store.collection<{ _id: number }>('left').insertOne({ _id }, { session });
    await store.collection<{ _id: number }>('right').insertOne({ _id }, { session });
  });
const idsOf = async (name: string) =>
  (await store.collection<{ _id: number }>(name).find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
/** Resolves once the store answers again. */
const untilBack = () => eventually(() => store.check());

describe('a MongoDB store', () => {
  it('commits atomically within the transaction timeout when the primary steps down', async () => {
    await untilAnswered(async () => {
      const [before, after] = [newId(), newId()];
      await putPair(before);
      await server.stepDown(2);
      await putPair(after);
      const left = await idsOf('left');
      expect(left).toEqual(expect.arrayContaining([before, after]));
      expect(await idsOf('right')).toEqual(left);
    });
  });

  it('fails as unavailable while the server is paused, and recovers', async () => {
    await untilBack();
    await server.pause();
    try {
      const read = () => store.run(() => store.collection('left').findOne(), REQUEST_TIMEOUT_MS);
      await expect(read()).rejects.toMatchObject({ name: 'AppError', code: 'unavailable' });
      await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
      await expect(putPair(newId())).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      await server.unpause();
    }
    await untilAnswered(async () => {
      const id = newId();
      await putPair(id);
      expect(await idsOf('right')).toContain(id);
    });
  });

  it('commits once the server has aborted a conflicting transaction of a killed process', async () => {
    const killed = new MongoClient(url, { runtimeAdapters: { os } });
    cleanUp(() => killed.close());
    await untilAnswered(async () => {
      const _id = newId();
      const session = killed.startSession();
      session.startTransaction();
      await killed.db().collection<{ _id: number }>('left').insertOne({ _id }, { session });
      await putPair(_id);
      expect(await idsOf('right')).toContain(_id);
      await expect(session.commitTransaction()).rejects.toThrow(/aborted/);
    });
  });

  it('has every acknowledged pair, and no incomplete pair, after kills in mid-commit', async () => {
    await untilBack();
    const acknowledged: number[] = [];
    const over = new AbortController();
    const write = async () => {
      while (!over.signal.aborted) {
        const id = newId();
        await putPair(id).then(
          () => acknowledged.push(id),
          (error: unknown) => expect(error).toMatchObject({ code: 'unavailable' }),
        );
      }
    };
    const writers = Array.from({ length: 8 }, write);
    for (let kill = 0; kill < 2; kill += 1) {
      const before = acknowledged.length;
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 100));
      await server.killAndStart();
    }
    over.abort();
    await Promise.all(writers);
    await untilBack();

    const left = await idsOf('left');
    expect(left).toEqual(await idsOf('right'));
    expect(left).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(acknowledged).size).toBeGreaterThanOrEqual(200);
  });
});

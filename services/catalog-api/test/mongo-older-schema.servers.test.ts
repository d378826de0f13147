import os from 'node:os';
import { openMongoStore, type MongoSchema } from '@lobbystats/mongo-store';
import { testServers } from '@lobbystats/test-kit';
import { MongoClient } from 'mongodb';
import { openMongoCatalogStore } from '../src/database/catalog-store.mongo.ts';
import { prepareCatalogDatabase } from './prepare-catalog-database.ts';
import { BOARD, HOUR, put, times } from './stored-boards.ts';
import { commit, fact } from './title-store.contract.ts';

const DATABASE = 'test_older_schema';
const version1: MongoSchema = {
  name: 'catalog',
  version: 1,
  collections: ['catalog', 'title', 'outbox'].map((name) => ({ name, indexes: [] })),
};

let admin: MongoClient;
beforeAll(() => {
  admin = new MongoClient(testServers().mongodb.url, { runtimeAdapters: { os } });
});
beforeEach(() => admin.db(DATABASE).dropDatabase());
afterAll(async () => {
  await admin.db(DATABASE).dropDatabase();
  await admin.close();
});

describe('a database of schema version 1', () => {
  it('converts pending outbox rows of schema version 1 to facts ahead of new ones', async () => {
    const titles = [{ titleId: '4d530064', name: 'Harbor Racing' }];
    const { url } = await prepareCatalogDatabase(DATABASE, undefined, version1);
    const older = await openMongoStore({ url, schema: version1, origin: 'simulated' });
    await older.collection<{ _id: number; occurredAt: number; past: boolean; titles: unknown[] }>('outbox').insertMany([
      { _id: 1_800_000_000_002, occurredAt: 1_700_000_300, past: true, titles: [] },
      { _id: 1_800_000_000_001, occurredAt: 1_700_000_000, past: false, titles },
    ]);
    await older.close();

    await prepareCatalogDatabase(DATABASE);
    const opened = await Promise.all([1, 2].map(() => openMongoCatalogStore(url, 'simulated')));
    const [{ titles: store, outbox }] = opened as [(typeof opened)[number]];
    await store.commit(commit({ revision: 1, facts: [fact('later')] }));
    const about = { type: 'title.stored', past: false };
    expect((await outbox.pending(10)).map(({ place: _, ...waiting }) => waiting)).toEqual([
      {
        ...about,
        id: 'title.stored:simulated:1800000000001',
        occurredAt: 1_700_000_000,
        data: { revision: 1_800_000_000_001, titles },
      },
      {
        ...about,
        id: 'title.stored:simulated:1800000000002',
        occurredAt: 1_700_000_300,
        past: true,
        data: { revision: 1_800_000_000_002, titles: [] },
      },
      fact('later'),
    ]);
    for (const catalog of opened) await catalog.close();
  });
});

describe('a database with boards without observedAt', () => {
  it('uses changedAt as observedAt until a later observation is stored', async () => {
    const { url } = await prepareCatalogDatabase(DATABASE);
    const catalog = await openMongoCatalogStore(url, 'simulated');
    const { boards } = catalog;
    await put(boards, { entries: times(['A', 1000]), changedAt: HOUR + 60 });
    const withoutReadings = async () => {
      await admin
        .db(DATABASE)
        .collection('board')
        .updateMany({}, { $unset: { observedAt: '' } });
      return boards.state(BOARD);
    };
    const older = await withoutReadings();
    expect(older).toMatchObject({ changedAt: HOUR + 60, observedAt: HOUR + 60 });
    expect(await boards.boardsOf(BOARD.titleId)).toEqual([older]);

    await boards.confirm([{ ...BOARD, pass: HOUR, seenAt: HOUR + 3660 }]);
    expect(await boards.state(BOARD)).toEqual({ ...older, observedAt: HOUR + 3660 });
    await withoutReadings();
    await put(boards, { version: 2, changedAt: HOUR + 7200, observedAt: HOUR + 7260 });
    expect(await boards.state(BOARD)).toMatchObject({ version: 2, observedAt: HOUR + 7260 });
    await catalog.close();
  });
});

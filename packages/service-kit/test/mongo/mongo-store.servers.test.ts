import { MongoClient } from 'mongodb';
import os from 'node:os';
import { testServers } from '@lobbystats/test-kit';
import { openMongoStore, provisionMongo, type MongoSchema } from '../../src/mongo/index.ts';

const DATABASE = 'test_mongo_store';
const schema: MongoSchema = {
  name: 'boards',
  version: 2,
  collections: [
    { name: 'board', indexes: [{ name: 'rank', keys: { board: 1, rank: -1 }, unique: true }] },
    { name: 'change', indexes: [] },
  ],
};

const adminUrl = testServers().mongodb.url;
const admin = new MongoClient(adminUrl, { runtimeAdapters: { os } });
const db = admin.db(DATABASE);
beforeEach(async () => {
  await db.dropDatabase();
  await db.command({ dropAllUsersFromDatabase: 1 });
});
afterAll(async () => {
  await db.dropDatabase();
  await db.command({ dropAllUsersFromDatabase: 1 });
  await admin.close();
});

async function provision(changes: Partial<Parameters<typeof provisionMongo>[0]> = {}): Promise<string[]> {
  const lines: string[] = [];
  const user = { user: 'boards', password: 'first-secret' };
  await provisionMongo({ adminUrl, database: DATABASE, ...user, schema, log: (line) => lines.push(line), ...changes });
  return lines;
}

function urlAs(password: string, database = DATABASE): string {
  const url = new URL(adminUrl);
  url.username = 'boards';
  url.password = password;
  url.pathname = database;
  url.searchParams.set('authSource', DATABASE);
  return url.href;
}

const open = (changes: Partial<Parameters<typeof openMongoStore>[0]> = {}) =>
  openMongoStore({ url: urlAs('first-secret'), schema, origin: 'simulated', waitMs: 0, ...changes });
const openAndClose = async (changes: Parameters<typeof open>[0] = {}) => (await open(changes)).close();

/** The message with which opening is refused; fails when it succeeds. */
async function refusal(changes: Parameters<typeof open>[0] = {}): Promise<string> {
  const error: unknown = await openAndClose(changes).catch((fault: unknown) => fault);
  expect(error).toMatchObject({ name: 'StartupError' });
  return (error as Error).message;
}

describe('a MongoDB database', () => {
  it('can be opened by several replicas after provisioning', async () => {
    await provision();
    const stores = await Promise.all([open(), open()]);
    for (const store of stores) {
      await expect(store.check()).resolves.toBeUndefined();
      await store.close();
    }
  });

  it('is provisioned again without changes, and no log line contains a secret', async () => {
    const first = await provision();
    expect(first).toHaveLength(5);
    await db.collection('board').insertOne({ board: 1, rank: 1 });
    const again = await provision();
    expect(again).toEqual([expect.stringMatching(/set password and permissions of the user boards/)]);
    expect([...first, ...again].join()).not.toMatch(/secret/);
    expect(await db.collection('board').countDocuments()).toBe(1);
  });

  it('is refused to every network but the first that opened it', async () => {
    await provision();
    await openAndClose();
    expect(await refusal({ origin: 'elsewhere' })).toMatch(
      /filled by the network "simulated".*"elsewhere".*NETWORK_ORIGIN/,
    );
    await openAndClose();
  });

  it('is refused with instructions for another schema version or another service', async () => {
    await provision();
    const older = { ...schema, version: 1 };
    expect(await refusal({ schema: older })).toMatch(/schema version 2.*knows up to 1: run a newer release/);
    await expect(provision({ schema: older })).rejects.toThrow(/run a newer release/);
    expect(await refusal({ schema: { ...schema, version: 3 } })).toMatch(/needs 3: run its init job/);
    expect(await refusal({ schema: { ...schema, name: 'users' } })).toMatch(/holds "boards", not "users"/);
  });

  it('is refused with a hint at the init job while it is not provisioned', async () => {
    expect(await refusal()).toMatch(/was rejected.*init job/);
    await provision();
    await db.collection('store_identity').drop();
    expect(await refusal()).toMatch(/not prepared: run the init job/);
  });

  it('is refused without its indexes, which the init job creates and corrects', async () => {
    await provision();
    await db.collection('board').dropIndex('rank');
    expect(await refusal()).toMatch(/board\.rank is missing.*init job/);
    await db.collection('board').createIndex({ rank: 1 }, { name: 'rank' }, {});
    await db.collection('board').createIndex({ board: 1, rank: -1 }, { name: 'sparse', sparse: true }, {});
    expect(await refusal()).toMatch(/board\.rank differs/);
    expect((await provision()).filter((line) => line.includes('dropped'))).toHaveLength(2);
    await openAndClose();
  });
});

describe('the database user of a service', () => {
  it('is refused with a wrong password, which no error message repeats', async () => {
    await provision();
    const message = await refusal({ url: urlAs('wrong-secret') });
    expect(message).toMatch(/127\.0\.0\.1:\d+\/test_mongo_store.*"boards" was rejected/);
    expect(message).not.toMatch(/secret/);
    for (const url of [`mongodb://boards:wrong-secret`, 'mongodb://boards:wrong@secret@127.0.0.1/x?nothing=1']) {
      expect(await refusal({ url })).not.toMatch(/secret/);
    }
  });

  it('has exactly the password and roles of the last provisioning', async () => {
    await provision();
    await db.command({ updateUser: 'boards', roles: ['readWrite', { role: 'root', db: 'admin' }] });
    await provision({ password: 'second-secret' });
    expect(await refusal()).toMatch(/was rejected/);
    await openAndClose({ url: urlAs('second-secret') });
    const { users } = await db.command({ usersInfo: 'boards' });
    expect(users).toMatchObject([{ roles: [{ role: 'readWrite', db: DATABASE }] }]);
  });

  it('is refused at startup when it can only read', async () => {
    await provision();
    await openAndClose();
    await db.command({ updateUser: 'boards', roles: ['read'] });
    expect(await refusal()).toMatch(/lacks the required permissions/);
  });

  it('cannot read other databases', async () => {
    await provision();
    const other = new MongoClient(urlAs('first-secret'), { runtimeAdapters: { os } });
    await expect(other.db('test_other').collection('board').findOne()).rejects.toThrow(/not authorized/);
    await expect(other.db(DATABASE).command({ usersInfo: 1 })).rejects.toThrow(/not authorized/);
    await other.close();
    expect(await refusal({ url: urlAs('first-secret', 'test_other') })).toMatch(/lacks the required permissions/);
  });
});

describe('an unreachable MongoDB server', () => {
  it('is named in the error without the password', async () => {
    const url = 'mongodb://boards:first-secret@127.0.0.1:1/boards?directConnection=true';
    const error: unknown = await openAndClose({ url }).catch((fault: unknown) => fault);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/127\.0\.0\.1:1\/boards/) as string,
    });
    expect((error as Error).message).not.toMatch(/secret/);
  });
});

import os from 'node:os';
import { MongoClient, MongoServerError, type Db } from 'mongodb';
import type { Attempt, Attempts } from './attempts.ts';

export interface DatabaseAttemptsOptions {
  /** `host:port`. */
  host: string;
  databaseOf: (user: string) => string;
  passwordOf: (user: string) => string;
}

const PROBE = 'permissions.probe';
const UNAUTHORIZED = 13;

type Act = (db: Db, user: string) => Promise<unknown>;

const acts: Readonly<Record<string, Act>> = {
  'create a collection': (db) => db.createCollection(PROBE),
  insert: (db) => db.collection(PROBE).insertOne({ probe: 1 }),
  find: (db) => db.collection(PROBE).findOne({}),
  update: (db) => db.collection(PROBE).updateMany({ probe: 1 }, { $set: { probe: 2 } }),
  remove: (db) => db.collection(PROBE).deleteMany({ probe: 2 }),
  'create an index': (db) => db.collection(PROBE).createIndex({ probe: 1 }),
  'drop a collection': (db) => db.command({ drop: PROBE }),
  'create a user': (db) => db.command({ createUser: 'intruder', pwd: 'x', roles: [] }),
  'grant itself a role': (db, user) =>
    db.command({ grantRolesToUser: user, roles: [{ role: 'dbOwner', db: db.databaseName }] }),
  'change its password': (db, user) => db.command({ updateUser: user, pwd: 'x' }),
  'drop the database': (db) => db.dropDatabase(),
  'set a parameter': (db) => db.command({ setParameter: 1, quiet: false }),
  'read the replica set status': (db) => db.command({ replSetGetStatus: 1 }),
  'list databases of others': (db) => db.command({ listDatabases: 1, authorizedDatabases: false }),
};

/** Attempts on MongoDB. */
export function databaseAttempts({ host, databaseOf, passwordOf }: DatabaseAttemptsOptions): Attempts {
  const clients = new Map<string, MongoClient>();
  const clientOf = (user: string): MongoClient => {
    const url = `mongodb://${user}:${passwordOf(user)}@${host}/${databaseOf(user)}?directConnection=true`;
    const client =
      clients.get(user) ?? new MongoClient(url, { serverSelectionTimeoutMS: 10_000, runtimeAdapters: { os } });
    clients.set(user, client);
    return client;
  };
  const isAllowed = async ({ principal, resource, action }: Attempt): Promise<boolean> => {
    const act = acts[action];
    if (act === undefined) throw new Error(`There is no attempt for ${action}`);
    try {
      await act(clientOf(principal).db(resource === 'the server' ? 'admin' : resource), principal);
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === UNAUTHORIZED) return false;
      throw error;
    }
  };
  return {
    isAllowed,
    close: async () => {
      for (const client of clients.values()) await client.close();
    },
  };
}

import os from 'node:os';
import { catalogSchema } from '@lobbystats/catalog-api/admin';
import { collectorSchema } from '@lobbystats/collector/admin';
import { StartupError } from '@lobbystats/errors';
import { closeClient, type MongoSchema } from '@lobbystats/mongo-store';
import { reputationSchema } from '@lobbystats/reputation-api/admin';
import { userSchema } from '@lobbystats/user-api/admin';
import { MongoClient, type Db } from 'mongodb';
import type { Servers } from '../command/deployment.ts';

export interface ServerDatabase {
  readonly database: string;
  readonly schema: MongoSchema;
}

export const serverDatabases: readonly ServerDatabase[] = [
  { database: 'collector', schema: collectorSchema },
  { database: 'catalog', schema: catalogSchema },
  { database: 'people', schema: userSchema },
  { database: 'reputation', schema: reputationSchema },
];

export interface DatabaseIdentity {
  readonly _id: string;
  readonly name?: string;
  readonly schemaVersion?: number;
  readonly origin?: string;
}

const CONNECT_TIMEOUT_MS = 5000;

/** Direct connection: inside a deployment the server may have another name. */
export async function connectMongo({ url, user, password }: Servers['mongodb']): Promise<MongoClient> {
  const isOne = !url.includes(',');
  let client: MongoClient;
  try {
    client = new MongoClient(url, {
      appName: 'lobbystats operator',
      auth: { username: user, password: password.reveal() },
      ...(isOne && { directConnection: true }),
      serverSelectionTimeoutMS: CONNECT_TIMEOUT_MS,
      connectTimeoutMS: CONNECT_TIMEOUT_MS,
      // The driver's dynamic import fails in some module loaders.
      runtimeAdapters: { os },
    });
  } catch {
    // The driver's message may quote the URL.
    throw new StartupError('MONGODB_URL must have the form mongodb://host:port');
  }
  try {
    await client.db('admin').command({ ping: 1 });
    return client;
  } catch (error) {
    await closeClient(client);
    throw error;
  }
}

export async function databaseIdentity(db: Db): Promise<DatabaseIdentity | undefined> {
  return (await db.collection<DatabaseIdentity>(IDENTITIES).findOne({ _id: 'identity' })) ?? undefined;
}

export const IDENTITIES = 'store_identity';

import os from 'node:os';
import { catalogSchema } from '@lobbystats/catalog-api';
import { collectorSchema } from '@lobbystats/collector';
import { RefusalError } from '@lobbystats/errors';
import { closeClient, type MongoSchema } from '@lobbystats/mongo-store';
import { reputationSchema } from '@lobbystats/reputation-api';
import { peopleSchema } from '@lobbystats/user-api';
import { MongoClient, type Db } from 'mongodb';
import type { Servers } from '../command/deployment.ts';

/** A database of a deployment, and what it has. */
export interface ServerDatabase {
  readonly database: string;
  readonly schema: MongoSchema;
}

/** Those that the init job makes. */
export const serverDatabases: readonly ServerDatabase[] = [
  { database: 'collector', schema: collectorSchema },
  { database: 'catalog', schema: catalogSchema },
  { database: 'people', schema: peopleSchema },
  { database: 'reputation', schema: reputationSchema },
];

/** What a database remembers of itself. */
export interface DatabaseIdentity {
  readonly _id: string;
  readonly name?: string;
  readonly schemaVersion?: number;
  readonly origin?: string;
}

const CONNECT_MS = 5000;

/** Connects to the one server that the address names: inside a deployment it may call itself by another name. */
export async function connectMongo({ url, user, password }: Servers['mongodb']): Promise<MongoClient> {
  const isOne = !url.includes(',');
  let client: MongoClient;
  try {
    client = new MongoClient(url, {
      appName: 'lobbystats operator',
      auth: { username: user, password: password.reveal() },
      ...(isOne && { directConnection: true }),
      serverSelectionTimeoutMS: CONNECT_MS,
      connectTimeoutMS: CONNECT_MS,
      // The driver would import it by itself, which not every loader of modules lets it.
      runtimeAdapters: { os },
    });
  } catch {
    // The driver's word may quote the URL.
    throw new RefusalError('MONGODB_URL is none: it must be of the form mongodb://host:port');
  }
  try {
    await client.db('admin').command({ ping: 1 });
    return client;
  } catch (error) {
    await closeClient(client);
    throw error;
  }
}

/** undefined: the init job never made it. */
export async function databaseIdentity(db: Db): Promise<DatabaseIdentity | undefined> {
  return (await db.collection<DatabaseIdentity>(IDENTITIES).findOne({ _id: 'identity' })) ?? undefined;
}

/** Where it remembers that. */
export const IDENTITIES = 'store_identity';

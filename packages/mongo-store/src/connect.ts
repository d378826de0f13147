import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, hasCode, RefusalError } from '@lobbystats/errors';
import { MongoClient, WriteConcern, type Db, type MongoClientOptions } from 'mongodb';
import pRetry from 'p-retry';
import { openingFault } from './mongo-fault.ts';

/** Wait for a server or its primary at opening, in milliseconds. */
export const WAIT_FOR_SERVER_MS = 30_000;
const LOOK_AGAIN_MS = 250;
/** Server selection, connecting, and waiting for a pooled connection. */
const SELECTION_MS = 2000;
/** How soon a server that went silent or came back is noticed. */
const HEARTBEAT_MS = 1000;

/** Survives the failure of any one server. */
export const MAJORITY = new WriteConcern('majority', 5000, true);

export interface Connection {
  readonly client: MongoClient;
  readonly where: string;
  readonly user: string;
}

export interface ConnectOptions {
  url: string;
  silentMs: number;
  waitMs: number;
}

/**
 * @throws RefusalError for an invalid URL, a refused login, or a server that isn't in a replica set
 * @throws AppError `unavailable` when no primary is found within `waitMs`
 */
export function connect({ url, silentMs, waitMs }: ConnectOptions): Promise<Connection> {
  return pRetry(() => connectOnce(url, silentMs), {
    retries: Infinity,
    factor: 1,
    minTimeout: LOOK_AGAIN_MS,
    maxRetryTime: waitMs,
    shouldRetry: ({ error }) => hasCode(error, 'unavailable'),
  });
}

/** A client whose first attempt failed can't be reused. */
async function connectOnce(url: string, silentMs: number): Promise<Connection> {
  const client = clientOf(url, silentMs);
  const where = `${client.options.hosts.map(String).join(',')}/${client.options.dbName}`;
  const user = client.options.credentials?.username ?? 'nobody';
  try {
    await expectPrimary(client.db(), where);
    return { client, where, user };
  } catch (error) {
    await closeClient(client);
    throw openingFault(error, where, user);
  }
}

/** The close of the driver can wait forever for a lost server: connections are closed after {@link SELECTION_MS}. */
export async function closeClient(client: MongoClient): Promise<void> {
  const { topology } = client as unknown as { topology?: { close(): void } };
  const waited = new AbortController();
  const expired = sleep(SELECTION_MS, undefined, { signal: waited.signal }).catch(() => undefined);
  try {
    await Promise.race([client.close(true), expired]);
  } finally {
    waited.abort();
    topology?.close();
  }
}

/** Options override the URL, so that no URL weakens durability. */
function clientOf(url: string, silentMs: number): MongoClient {
  const options: MongoClientOptions = {
    appName: 'lobbystats',
    serverSelectionTimeoutMS: SELECTION_MS,
    connectTimeoutMS: SELECTION_MS,
    socketTimeoutMS: silentMs,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    maxPoolSize: 32,
    waitQueueTimeoutMS: SELECTION_MS,
    retryReads: true,
    retryWrites: true,
    readConcern: { level: 'majority' },
    readConcernLevel: 'majority',
    writeConcern: MAJORITY,
    readPreference: 'primary',
    readPreferenceTags: [],
    promoteBuffers: true,
    // The driver's dynamic import fails in some module loaders.
    runtimeAdapters: { os },
  };
  try {
    return new MongoClient(url, options);
  } catch {
    // The driver's message may quote the URL with its password.
    throw new RefusalError(
      'The URL of MongoDB is none: it must be of the form mongodb://user:password@host:port/database',
    );
  }
}

async function expectPrimary(db: Db, where: string): Promise<void> {
  const hello = await db.command({ hello: 1 });
  if (hello['isWritablePrimary'] !== true) throw new AppError('unavailable', `MongoDB at ${where} has no primary`);
  if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid') {
    throw new RefusalError(`MongoDB at ${where} is no replica set, which transactions need: start it with --replSet`);
  }
}

import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, hasCode, StartupError } from '@lobbystats/contracts/errors';
import { MongoClient, WriteConcern, type Db, type MongoClientOptions } from 'mongodb';
import pRetry from 'p-retry';
import { toOpenError } from './mongo-errors.ts';

/** How long opening waits for a server and its primary. */
export const SERVER_TIMEOUT_MS = 30_000;
const RETRY_INTERVAL_MS = 250;
/** Server selection, connecting, and waiting for a pooled connection. */
const SELECTION_TIMEOUT_MS = 2000;
/** Bounds the time until a lost or restored server is detected. */
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
  socketTimeoutMs: number;
  waitMs: number;
}

/**
 * @throws StartupError for an invalid URL, a refused login, or a server that isn't in a replica set
 * @throws AppError `unavailable` when no primary is found within `waitMs`
 */
export function connect({ url, socketTimeoutMs, waitMs }: ConnectOptions): Promise<Connection> {
  return pRetry(() => connectOnce(url, socketTimeoutMs), {
    retries: Infinity,
    factor: 1,
    minTimeout: RETRY_INTERVAL_MS,
    maxRetryTime: waitMs,
    shouldRetry: ({ error }) => hasCode(error, 'unavailable'),
  });
}

/** A client whose first attempt failed can't be reused. */
async function connectOnce(url: string, silentMs: number): Promise<Connection> {
  const client = createClient(url, silentMs);
  const where = `${client.options.hosts.map(String).join(',')}/${client.options.dbName}`;
  const user = client.options.credentials?.username ?? 'nobody';
  try {
    await assertPrimary(client.db(), where);
    return { client, where, user };
  } catch (error) {
    await closeClient(client);
    throw toOpenError(error, where, user);
  }
}

/** The driver's close can hang on a lost server: connections are closed after {@link SELECTION_TIMEOUT_MS}. */
export async function closeClient(client: MongoClient): Promise<void> {
  const { topology } = client as unknown as { topology?: { close(): void } };
  const waited = new AbortController();
  const expired = sleep(SELECTION_TIMEOUT_MS, undefined, { signal: waited.signal }).catch(() => undefined);
  try {
    await Promise.race([client.close(true), expired]);
  } finally {
    waited.abort();
    topology?.close();
  }
}

/** Options override the URL, so that no URL weakens durability. */
function createClient(url: string, silentMs: number): MongoClient {
  const options: MongoClientOptions = {
    appName: 'lobbystats',
    serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS,
    connectTimeoutMS: SELECTION_TIMEOUT_MS,
    socketTimeoutMS: silentMs,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    maxPoolSize: 32,
    waitQueueTimeoutMS: SELECTION_TIMEOUT_MS,
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
    throw new StartupError('Invalid MongoDB URL: expected mongodb://user:password@host:port/database');
  }
}

async function assertPrimary(db: Db, where: string): Promise<void> {
  const hello = await db.command({ hello: 1 });
  if (hello['isWritablePrimary'] !== true) throw new AppError('unavailable', `MongoDB at ${where} has no primary`);
  if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid') {
    throw new StartupError(
      `MongoDB at ${where} is not a replica set, which transactions need: start it with --replSet`,
    );
  }
}

import os from 'node:os';
import { catalogSchema } from '@lobbystats/catalog-api/admin';
import { collectorSchema } from '@lobbystats/collector/admin';
import { StartupError } from '@lobbystats/contracts/errors';
import { inspectRabbitMq, type RabbitMqState } from '@lobbystats/service-kit/bus';
import { closeClient, RESTORE_MARKER_ID, type MongoSchema } from '@lobbystats/service-kit/mongo';
import { reputationSchema } from '@lobbystats/reputation-api/admin';
import type { InfluxAdmin } from '@lobbystats/series-api/admin';
import { OperatorError } from '@lobbystats/service-kit';
import { userSchema } from '@lobbystats/user-api/admin';
import { MongoClient, type Collection, type Db } from 'mongodb';
import type { Servers } from '../command/deployment.ts';

export interface ServerDatabase {
  readonly database: string;
  readonly schema: MongoSchema;
}

export const serverDatabases: readonly ServerDatabase[] = [
  { database: 'collector', schema: collectorSchema },
  { database: 'catalog', schema: catalogSchema },
  { database: 'users', schema: userSchema },
  { database: 'reputation', schema: reputationSchema },
];

interface DatabaseIdentity {
  readonly _id: string;
  readonly name?: string;
  readonly schemaVersion?: number;
  readonly origin?: string;
  readonly begun?: boolean;
}

export const IDENTITIES = 'store_identity';
const CONNECT_TIMEOUT_MS = 5000;
const HISTORY_PARAMETER = 'minSnapshotHistoryWindowInSeconds';
const DEFAULT_HISTORY_SECONDS = 300;
const BACKUP_HISTORY_SECONDS = 6 * 3600;

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
  return (await identitiesOf(db).findOne({ _id: 'identity' })) ?? undefined;
}

/**
 * The network that filled the catalog.
 *
 * @throws OperatorError when there is none
 */
export async function originOf(servers: Servers): Promise<string> {
  const client = await connectMongo(servers.mongodb);
  const identity = await databaseIdentity(client.db('catalog')).finally(() => client.close());
  if (identity?.origin === undefined) throw new OperatorError("MongoDB's database catalog has no titles yet");
  return identity.origin;
}

/** The URL of a database, with the administrator's credentials. */
export function mongoUrl({ mongodb: { url, user, password } }: Servers, database: string): string {
  const [hosts = '', query = ''] = url.replace(/^mongodb:\/\//, '').split('?');
  const settings = new URLSearchParams(query);
  settings.set('authSource', 'admin');
  // Inside a deployment the server may have another name.
  if (!hosts.includes(',')) settings.set('directConnection', 'true');
  const credentials = [user, password.reveal()].map(encodeURIComponent).join(':');
  return `mongodb://${credentials}@${hosts.replace(/\/.*$/, '')}/${database}?${settings.toString()}`;
}

export async function isRestoreInterrupted(db: Db): Promise<boolean> {
  return (await identitiesOf(db).findOne({ _id: RESTORE_MARKER_ID })) !== null;
}

export function identitiesOf(db: Db): Collection<DatabaseIdentity> {
  return db.collection<DatabaseIdentity>(IDENTITIES);
}

export function inspectBroker({ rabbitmq }: Servers): Promise<RabbitMqState> {
  const { managementUrl, user, password, vhost } = rabbitmq;
  return inspectRabbitMq({ managementUrl, adminUser: user, adminPassword: password.reveal(), vhost });
}

export function influxAdmin({ influxdb: { url, token, org } }: Servers): InfluxAdmin {
  return { url, token: token.reveal(), org };
}

/** Raises the window of snapshot reads during `work`. */
export async function withSnapshotHistory(client: MongoClient, work: () => Promise<void>): Promise<void> {
  const before = await historySeconds(client);
  await setHistory(client, Math.max(before, BACKUP_HISTORY_SECONDS));
  try {
    await work();
  } finally {
    // Left by a killed backup.
    await setHistory(client, before === BACKUP_HISTORY_SECONDS ? DEFAULT_HISTORY_SECONDS : before);
  }
}

/** A backup runs, or was killed. */
export async function isBackupWindowSet(client: MongoClient): Promise<boolean> {
  return (await historySeconds(client)) === BACKUP_HISTORY_SECONDS;
}

async function historySeconds(client: MongoClient): Promise<number> {
  return Number((await client.db('admin').command({ getParameter: 1, [HISTORY_PARAMETER]: 1 }))[HISTORY_PARAMETER]);
}

async function setHistory(client: MongoClient, seconds: number): Promise<void> {
  await client.db('admin').command({ setParameter: 1, [HISTORY_PARAMETER]: seconds });
}

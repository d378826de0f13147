import type { Db, MongoClient } from 'mongodb';
import { closeClient, connect, SERVER_TIMEOUT_MS } from './connect.ts';
import { toOpenError } from './mongo-errors.ts';
import { hasSameKeys, isSameIndex, type MongoCollection, type MongoSchema, readIndexes } from './mongo-schema.ts';
import { recordIdentity } from './store-identity.ts';

export interface ProvisionMongoOptions {
  /** An admin who may create databases and users. */
  adminUrl: string;
  database: string;
  /** Has `readWrite` on `database` alone. */
  user: string;
  password: string;
  schema: MongoSchema;
  log: (line: string) => void;
  waitMs?: number;
}

/** Index builds can take minutes. */
const INDEX_BUILD_TIMEOUT_MS = 600_000;

/**
 * Creates or corrects a service's database, indexes and user. Idempotent; deletes no data.
 *
 * @throws StartupError for another service's or a newer release's database, or a refused login
 * @throws AppError `unavailable` when no primary is found within `waitMs`
 */
export async function provisionMongo(options: ProvisionMongoOptions): Promise<void> {
  const { adminUrl, database, schema, log, waitMs = SERVER_TIMEOUT_MS } = options;
  const {
    client,
    where: server,
    user: admin,
  } = await connect({ url: adminUrl, socketTimeoutMs: INDEX_BUILD_TIMEOUT_MS, waitMs });
  const where = server.replace(/\/[^/]*$/, `/${database}`);
  try {
    const db = client.db(database);
    const before = await recordIdentity(db, where, schema);
    if (before !== schema.version) log(`${database}: holds "${schema.name}", schema version ${schema.version}`);
    for (const collection of schema.collections) await provisionCollection(db, collection, log);
    await provisionUser(client, options);
  } catch (error) {
    throw toOpenError(error, where, admin);
  } finally {
    await closeClient(client);
  }
}

async function provisionCollection(db: Db, { name, indexes }: MongoCollection, log: (line: string) => void) {
  const existing = await db.listCollections({ name }, { nameOnly: true }).toArray();
  if (existing.length === 0) {
    await db.createCollection(name);
    log(`${db.databaseName}: created the collection ${name}`);
  }
  const stored = await readIndexes(db, name);
  for (const index of indexes) {
    if (stored.some((candidate) => candidate.name === index.name && isSameIndex(candidate, index))) continue;
    for (const other of stored.filter((candidate) => candidate.name === index.name || hasSameKeys(candidate, index))) {
      await db.collection(name).dropIndex(other.name);
      log(`${db.databaseName}: dropped the index ${name}.${other.name}, which differs from the schema`);
    }
    await db.collection(name).createIndex(index.keys, { name: index.name, unique: index.unique ?? false }, {});
    log(`${db.databaseName}: created the index ${name}.${index.name}`);
  }
}

/** Replaces all of the user's roles. */
async function provisionUser(client: MongoClient, { database, user, password, log }: ProvisionMongoOptions) {
  const db = client.db(database);
  const known = await db.command({ usersInfo: { user, db: database } });
  const isKnown = (known['users'] as unknown[]).length > 0;
  const roles = [{ role: 'readWrite', db: database }];
  const settings = { pwd: password, roles, mechanisms: ['SCRAM-SHA-256'] };
  await db.command(isKnown ? { updateUser: user, ...settings } : { createUser: user, ...settings });
  log(
    `${database}: ${isKnown ? 'set password and permissions of' : 'created'} the user ${user}: readWrite on ${database} alone`,
  );
}

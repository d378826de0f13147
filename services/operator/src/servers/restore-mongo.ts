import { join } from 'node:path';
import { BSON, type Collection, type Db, type Document, type MongoClient } from 'mongodb';
import { OperatorError } from '@lobbystats/service-kit';
import type { Manifest } from '../backup/manifest.ts';
import { differencesOf } from '../restore/compare-counts.ts';
import { mongoFile } from './back-up-mongo.ts';
import { readDocuments } from './bson-file.ts';
import { databaseIdentity, IDENTITIES, type ServerDatabase } from './server-databases.ts';

const DOCUMENTS_AT_ONCE = 1000;
const BYTES_AT_ONCE = 8e6;
const MAJORITY = { writeConcern: { w: 'majority', j: true } } as const;
const ALL = { _id: { $exists: true } };

export interface Restoring {
  readonly from: string;
  readonly manifest: Manifest;
  readonly tell: (text: () => string) => void;
}

/**
 * Databases must be prepared and not newer.
 *
 * @throws OperatorError when a database isn't prepared, or newer or other data are to come than this release knows
 */
export async function expectDatabases(
  client: MongoClient,
  databases: readonly ServerDatabase[],
  manifest: Manifest,
): Promise<void> {
  for (const { database, schema } of databases) {
    const marks = client.db(database).collection(IDENTITIES);
    const isPrepared = (await databaseIdentity(client.db(database)))?.name === schema.name;
    const isHalf = (await marks.findOne({ _id: RESTORING as never })) !== null;
    if (!isPrepared && !isHalf)
      throw new OperatorError(`MongoDB's database ${database} is not prepared: run the init job`);
    for (const { name } of [{ name: IDENTITIES }, ...schema.collections]) {
      const part = manifest.parts.find(({ file }) => file === mongoFile(schema.name, name));
      if (part === undefined)
        throw new OperatorError(`the copy has no ${mongoFile(schema.name, name)}: it is another release's`);
      if ((part.schemaVersion ?? 0) > schema.version) {
        throw new OperatorError(
          `the copy of ${database} has schema version ${part.schemaVersion}, and this release knows up to ${schema.version}: use a newer release`,
        );
      }
    }
  }
}

export async function isRoomInMongo(client: MongoClient, databases: readonly ServerDatabase[]): Promise<boolean> {
  for (const { database, schema } of databases) {
    for (const { name } of schema.collections) {
      if ((await client.db(database).collection(name).findOne()) !== null) return false;
    }
  }
  return true;
}

export async function isHalfRestored(client: MongoClient, databases: readonly ServerDatabase[]): Promise<boolean> {
  for (const { database } of databases) {
    const marks = client.db(database).collection(IDENTITIES);
    if ((await marks.findOne({ _id: RESTORING as never })) !== null) return true;
  }
  return false;
}

/** Services refuse a database with this mark. */
export async function beginRestoring(client: MongoClient, databases: readonly ServerDatabase[]): Promise<void> {
  for (const { database } of databases) {
    const marks = client.db(database).collection(IDENTITIES);
    await marks.updateOne({ _id: RESTORING as never }, { $set: { begun: true } }, { upsert: true, ...MAJORITY });
    await marks.deleteOne({ _id: 'identity' as never }, MAJORITY);
  }
}

/** Replaces the databases' data, verifies counts, then removes the marks. */
export async function restoreMongo(
  client: MongoClient,
  databases: readonly ServerDatabase[],
  restoring: Restoring,
): Promise<void> {
  for (const { database, schema } of databases) {
    const db = client.db(database);
    for (const { name } of schema.collections) await restoreCollection(db, { schema: schema.name, name }, restoring);
  }
  for (const { database, schema } of databases) {
    const marks = client.db(database).collection(IDENTITIES);
    for await (const mark of readDocuments(join(restoring.from, mongoFile(schema.name, IDENTITIES)))) {
      await marks.replaceOne({ _id: mark['_id'] as never }, mark, { upsert: true, ...MAJORITY });
    }
    await marks.deleteOne({ _id: RESTORING as never }, MAJORITY);
  }
}

async function restoreCollection(
  db: Db,
  { schema, name }: { schema: string; name: string },
  { from, manifest, tell }: Restoring,
): Promise<void> {
  const collection = db.collection(name);
  const file = mongoFile(schema, name);
  await collection.deleteMany(ALL, MAJORITY);
  let documents: Document[] = [];
  let bytes = 0;
  let done = 0;
  const flush = async () => {
    if (documents.length > 0) await insert(collection, documents);
    done += documents.length;
    [documents, bytes] = [[], 0];
    tell(() => `${db.databaseName}.${name}: ${done} documents`);
  };
  for await (const document of readDocuments(join(from, file))) {
    documents.push(document);
    bytes += BSON.calculateObjectSize(document);
    if (documents.length >= DOCUMENTS_AT_ONCE || bytes >= BYTES_AT_ONCE) await flush();
  }
  await flush();
  const expected = manifest.parts.find((part) => part.file === file)?.counts ?? {};
  const differences = differencesOf(expected, { [name]: await collection.countDocuments() });
  if (differences.length > 0) {
    throw new OperatorError(
      `${db.databaseName} has other counts than the copy: ${differences.join('; ')}. Do services run?`,
    );
  }
}

async function insert(collection: Collection, documents: Document[]): Promise<void> {
  await collection.insertMany(documents, { ordered: false, ...MAJORITY });
}

/** Replaces the database's identity during a restore. */
const RESTORING = 'restoring';

import { join } from 'node:path';
import { RESTORE_MARKER_ID } from '@lobbystats/service-kit/mongo';
import { BSON, type Db, type Document, type MongoClient } from 'mongodb';
import { OperatorError } from '@lobbystats/service-kit';
import { verifyCounts, type Manifest } from '../backup/manifest.ts';
import { percentOf } from '../backup/progress.ts';
import { mongoFile } from './back-up-mongo.ts';
import { readDocuments } from './part-file.ts';
import { databaseIdentity, IDENTITIES, identitiesOf, isRestoreInterrupted, type ServerDatabase } from './servers.ts';

const DOCUMENTS_PER_BATCH = 1000;
const BYTES_PER_BATCH = 8e6;
const MAJORITY = { writeConcern: { w: 'majority', j: true } } as const;
const ALL = { _id: { $exists: true } };

export interface RestoreSource {
  readonly from: string;
  readonly manifest: Manifest;
  readonly reportProgress: (text: () => string) => void;
}

/**
 * Databases must be prepared and not newer.
 *
 * @throws OperatorError when a database is not provisioned, or the backup is of a newer or incompatible release
 */
export async function verifyDatabases(
  client: MongoClient,
  databases: readonly ServerDatabase[],
  manifest: Manifest,
): Promise<void> {
  for (const { database, schema } of databases) {
    const isPrepared = (await databaseIdentity(client.db(database)))?.name === schema.name;
    if (!isPrepared && !(await isRestoreInterrupted(client.db(database))))
      throw new OperatorError(`MongoDB's database ${database} is not provisioned: run the init job`);
    const version = partOf(manifest, schema.name, IDENTITIES)?.schemaVersion ?? 0;
    if (version > schema.version) {
      throw new OperatorError(
        `the backup of ${database} has schema version ${version}, and this release knows up to ${schema.version}: use a newer release`,
      );
    }
    for (const { name } of [{ name: IDENTITIES }, ...schema.collections]) {
      // An older release may not have had the collection yet. The init job and the service then fill it, as in an upgrade.
      const isNewer = version < schema.version && name !== IDENTITIES;
      if (!isNewer && partOf(manifest, schema.name, name) === undefined)
        throw new OperatorError(`the backup has no ${mongoFile(schema.name, name)}: it belongs to another release`);
    }
  }
}

function partOf({ parts }: Manifest, schema: string, collection: string) {
  return parts.find(({ file }) => file === mongoFile(schema, collection));
}

export async function isMongoEmpty(client: MongoClient, databases: readonly ServerDatabase[]): Promise<boolean> {
  for (const { database, schema } of databases) {
    for (const { name } of schema.collections) {
      if ((await client.db(database).collection(name).findOne()) !== null) return false;
    }
  }
  return true;
}

export async function isPartiallyRestored(client: MongoClient, databases: readonly ServerDatabase[]): Promise<boolean> {
  for (const { database } of databases) if (await isRestoreInterrupted(client.db(database))) return true;
  return false;
}

/** Services refuse a database with this mark. */
export async function beginRestore(client: MongoClient, databases: readonly ServerDatabase[]): Promise<void> {
  for (const { database } of databases) {
    const marks = identitiesOf(client.db(database));
    await marks.updateOne({ _id: RESTORE_MARKER_ID }, { $set: { begun: true } }, { upsert: true, ...MAJORITY });
    await marks.deleteOne({ _id: 'identity' }, MAJORITY);
  }
}

/** Replaces the databases' data, verifies counts, then removes the marks. */
export async function restoreMongo(
  client: MongoClient,
  databases: readonly ServerDatabase[],
  restoring: RestoreSource,
): Promise<void> {
  for (const { database, schema } of databases) {
    const db = client.db(database);
    for (const { name } of schema.collections) await restoreCollection(db, { schema: schema.name, name }, restoring);
  }
  for (const { database, schema } of databases) {
    const marks = identitiesOf(client.db(database));
    for await (const mark of readDocuments(join(restoring.from, mongoFile(schema.name, IDENTITIES)))) {
      await marks.replaceOne({ _id: String(mark['_id']) }, mark, { upsert: true, ...MAJORITY });
    }
    await marks.deleteOne({ _id: RESTORE_MARKER_ID }, MAJORITY);
  }
}

async function restoreCollection(
  db: Db,
  { schema, name }: { schema: string; name: string },
  { from, manifest, reportProgress }: RestoreSource,
): Promise<void> {
  const collection = db.collection(name);
  await collection.deleteMany(ALL, MAJORITY);
  const part = partOf(manifest, schema, name);
  if (part === undefined) return;
  const total = part.counts[name] ?? 0;
  let documents: Document[] = [];
  let bytes = 0;
  let done = 0;
  const flush = async () => {
    if (documents.length > 0) await collection.insertMany(documents, { ordered: false, ...MAJORITY });
    done += documents.length;
    [documents, bytes] = [[], 0];
    reportProgress(() => `${db.databaseName}.${name}: ${percentOf(done, total)} of ${total} documents`);
  };
  for await (const document of readDocuments(join(from, part.file))) {
    documents.push(document);
    bytes += BSON.calculateObjectSize(document);
    if (documents.length >= DOCUMENTS_PER_BATCH || bytes >= BYTES_PER_BATCH) await flush();
  }
  await flush();
  const found = { [name]: await collection.countDocuments() };
  verifyCounts(`${db.databaseName} has other counts than the backup`, part.counts, found, '. Are services running?');
}

import type { ClientSession, MongoClient } from 'mongodb';
import { OperatorError } from '@lobbystats/service-kit';
import { CHANNEL_TABLES, userSchema } from '@lobbystats/user-api/admin';
import type { Part } from '../backup/manifest.ts';
import {
  databaseIdentity,
  IDENTITIES,
  isRestoreInterrupted,
  withSnapshotHistory,
  type ServerDatabase,
} from './servers.ts';
import { percentOf } from '../backup/progress.ts';
import { writePart } from './part-file.ts';

const DOCUMENTS_PER_BATCH = 1000;

export interface CopyOptions {
  readonly directory: string;
  readonly reportProgress: (text: () => string) => void;
  /** Leaves the users' channels out. */
  readonly withoutChannels?: boolean;
}

/** @throws OperatorError when a database is not provisioned or its restore was interrupted, or they belong to several networks */
export async function backUpMongo(
  client: MongoClient,
  databases: readonly ServerDatabase[],
  copying: CopyOptions,
): Promise<{ origin: string | undefined; parts: readonly Part[] }> {
  const versions = new Map<string, number>();
  const origins = new Set<string>();
  for (const { database, schema } of databases) {
    if (await isRestoreInterrupted(client.db(database)))
      throw new OperatorError(`a restore of ${database} was interrupted: run the same npx lobbystats restore again`);
    const identity = await databaseIdentity(client.db(database));
    if (identity?.name !== schema.name) {
      throw new OperatorError(
        `MongoDB's database ${database} is not provisioned, or holds other data: run the init job`,
      );
    }
    versions.set(database, identity.schemaVersion ?? 0);
    if (identity.origin !== undefined) origins.add(identity.origin);
  }
  if (origins.size > 1) throw new OperatorError(`the databases belong to several networks: ${[...origins].join(', ')}`);
  const parts: Part[] = [];
  await withSnapshotHistory(client, async () => {
    // All reads see the instant of the first.
    const session = client.startSession({ snapshot: true });
    try {
      for (const { database, schema } of databases) {
        for (const name of [IDENTITIES, ...schema.collections.map((collection) => collection.name)]) {
          const written = await copyCollection(client, { session, database, schema: schema.name, name }, copying);
          parts.push({ ...written, store: schema.name, schemaVersion: versions.get(database) ?? 0 });
        }
      }
    } finally {
      await session.endSession();
    }
  });
  return { origin: [...origins][0], parts };
}

interface CollectionSource {
  readonly session: ClientSession;
  readonly database: string;
  readonly schema: string;
  readonly name: string;
}

async function copyCollection(
  client: MongoClient,
  { session, database, schema, name }: CollectionSource,
  { directory, reportProgress, withoutChannels = false }: CopyOptions,
) {
  const file = mongoFile(schema, name);
  const part = writePart(directory, file);
  const options = { session, raw: true, batchSize: DOCUMENTS_PER_BATCH };
  const filter = withoutChannels && isOfChannels(schema, name) ? { $nor: [{}] } : {};
  const total = await client.db(database).collection(name).estimatedDocumentCount();
  let count = 0;
  for await (const document of client.db(database).collection(name).find(filter, options)) {
    // Raw BSON.
    await part.write(document as unknown as Uint8Array);
    count += 1;
    reportProgress(() => `${database}.${name}: ${percentOf(count, total)} of ${total} documents`);
  }
  return { file, ...(await part.end()), counts: { [name]: count } };
}

function isOfChannels(schema: string, collection: string): boolean {
  return schema === userSchema.name && CHANNEL_TABLES.includes(collection);
}

export function mongoFile(schema: string, collection: string): string {
  return `mongodb.${schema}.${collection}.bson.gz`;
}

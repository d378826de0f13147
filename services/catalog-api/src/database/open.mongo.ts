import { randomBytes } from 'node:crypto';
import { MongoOutbox, openMongoStore, type MongoStore } from '@lobbystats/service-kit/mongo';
import { catalogSchema } from './schema.mongo.ts';

/** An open database with the outbox of its commits. */
export interface MongoCatalog {
  readonly store: MongoStore;
  readonly outbox: MongoOutbox;
}

/**
 * Any number of processes may share the database.
 *
 * @throws StartupError when the init job has not prepared it, or it belongs to another network or a newer release
 * @throws AppError `unavailable` when no primary is found within `waitMs`, 30 s by default
 */
export async function openMongoCatalog(url: string, origin: string, waitMs?: number): Promise<MongoCatalog> {
  const store = await openMongoStore({ url, origin, schema: catalogSchema, waitMs });
  try {
    await createCatalogRows(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  return { store, outbox: new MongoOutbox(store, 'catalog') };
}

/** Written before the first commit, so that every commit updates an existing row. */
async function createCatalogRows(store: MongoStore): Promise<void> {
  const rows = store.collection<{ _id: string }>('catalog');
  const first = {
    titles: { revision: 0 },
    boards: { revision: 0, lastId: 0, lastChangedAt: 0 },
    events: { revision: 0, seenAt: 0, changedAt: 0 },
    /** The key of the hashes of erased users. */
    marks: { key: randomBytes(32).toString('hex') },
  };
  const creations = Object.entries(first).map(([_id, fields]) =>
    store.run(() => rows.updateOne({ _id }, { $setOnInsert: fields }, { upsert: true })),
  );
  await Promise.all(creations);
}

import { MongoOutbox, openMongoStore, type MongoStore } from '@lobbystats/mongo-store';
import type { UserDatabase } from '../../domain/user-database.ts';
import { mongoProfileStore } from './mongo-profile-store.ts';
import type { StateRow } from './collection-rows.ts';
import { userSchema } from './user-schema.ts';
import { unlockReads } from './unlock-reads.ts';
import { userReads } from './user-reads.ts';
import { userWrites } from './user-writes.ts';

export async function openMongoUserDatabase(url: string, origin: string, waitMs?: number): Promise<UserDatabase> {
  const store = await openMongoStore({ url, origin, schema: userSchema, ...(waitMs !== undefined && { waitMs }) });
  try {
    await createState(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  const outbox = new MongoOutbox(store, 'people');
  return {
    users: { ...userReads(store), ...userWrites(store, outbox), ...unlockReads(store) },
    profiles: mongoProfileStore(store, outbox),
    outbox,
    check: () => store.check(),
    close: () => store.close(),
  };
}

async function createState(store: MongoStore): Promise<void> {
  await store.run(() =>
    store
      .collection<StateRow>('people')
      .updateOne({ _id: 'people' }, { $setOnInsert: { revision: 0 } }, { upsert: true }),
  );
}

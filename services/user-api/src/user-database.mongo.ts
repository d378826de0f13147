import { MongoOutbox, openMongoStore, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { UserDatabase } from './user-database.ts';
import { addNotificationDeliveries, mongoChannelStore } from './channels/channel-store.mongo.ts';
import { userErasure } from './erasure/user-erasure.mongo.ts';
import { mongoFollowStore } from './following/follow-store.mongo.ts';
import { mongoProfileStore } from './profiles/profile-store.mongo.ts';
import type { StateRow } from './users/collection-rows.mongo.ts';
import { userSchema } from './database/user-schema.mongo.ts';
import { unlockReads } from './achievements/unlock-reads.mongo.ts';
import { userReads } from './users/user-reads.mongo.ts';
import { userWrites } from './users/user-writes.mongo.ts';

export async function openMongoUserDatabase(url: string, origin: string, waitMs?: number): Promise<UserDatabase> {
  const store = await openMongoStore({ url, origin, schema: userSchema, waitMs, turnsOplogOver: true });
  try {
    await createState(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  const outbox = new MongoOutbox(store, 'user_state');
  return {
    users: { ...userReads(store), ...userWrites(store, outbox), ...unlockReads(store) },
    profiles: mongoProfileStore(store, outbox),
    erasures: userErasure(store, outbox),
    following: mongoFollowStore(store, addNotificationDeliveries),
    channels: mongoChannelStore(store),
    outbox,
    check: () => store.check(),
    close: () => store.close(),
  };
}

async function createState(store: MongoStore): Promise<void> {
  await store.run(() =>
    store
      .collection<StateRow>('user_state')
      .updateOne({ _id: 'users' }, { $setOnInsert: { revision: 0 } }, { upsert: true }),
  );
}

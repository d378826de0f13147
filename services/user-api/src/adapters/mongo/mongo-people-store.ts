import { MongoOutbox, openMongoStore, type MongoStore } from '@lobbystats/mongo-store';
import type { PeopleStore } from '../../domain/people-store.ts';
import { mongoProfileStore } from './mongo-profile-store.ts';
import type { PeopleRow } from './people-rows.ts';
import { peopleSchema } from './people-schema.ts';
import { unlockReads } from './unlock-reads.ts';
import { userReads } from './user-reads.ts';
import { userWriting } from './user-writing.ts';

export async function openMongoPeopleStore(url: string, origin: string, waitMs?: number): Promise<PeopleStore> {
  const store = await openMongoStore({ url, origin, schema: peopleSchema, ...(waitMs !== undefined && { waitMs }) });
  try {
    await beginRevisions(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  const outbox = new MongoOutbox(store, 'people');
  return {
    users: { ...userReads(store), ...userWriting(store, outbox), ...unlockReads(store) },
    profiles: mongoProfileStore(store, outbox),
    outbox,
    check: () => store.check(),
    close: () => store.close(),
  };
}

async function beginRevisions(store: MongoStore): Promise<void> {
  await store.run(() =>
    store
      .collection<PeopleRow>('people')
      .updateOne({ _id: 'people' }, { $setOnInsert: { revision: 0 } }, { upsert: true }),
  );
}

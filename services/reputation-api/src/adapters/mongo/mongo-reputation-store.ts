import { randomBytes } from 'node:crypto';
import { MongoOutbox, openMongoStore } from '@lobbystats/mongo-store';
import type { ReputationStore } from '../../domain/reputation-store.ts';
import { reputationReads } from './reputation-reads.ts';
import type { StateRow } from './reputation-rows.ts';
import { reputationSchema } from './reputation-schema.ts';
import { reputationWrites } from './reputation-writes.ts';

/**
 * Opens the ratings in a MongoDB database that the init job has prepared. Any number of processes may share it.
 *
 * @param url `mongodb://user:password@host:port/database?…`
 * @param origin the network of the ratings
 * @param waitMs how long to wait for an unavailable server; default: 30 s
 * @throws StartupError when the database isn't prepared, or belongs to another network or newer code
 * @throws AppError `unavailable` when the server is unavailable for that time
 */
export async function openMongoReputationStore(url: string, origin: string, waitMs?: number): Promise<ReputationStore> {
  const store = await openMongoStore({
    url,
    origin,
    schema: reputationSchema,
    ...(waitMs !== undefined && { waitMs }),
  });
  const outbox = new MongoOutbox(store, 'reputation');
  try {
    const first = { revision: 0, turn: 0, markKey: randomBytes(32).toString('hex') };
    await store.run(() =>
      store
        .collection<StateRow>('reputation')
        .updateOne({ _id: 'reputation' }, { $setOnInsert: first }, { upsert: true }),
    );
    return {
      ...reputationReads(store),
      ...reputationWrites(store, outbox),
      outbox,
      check: () => store.check(),
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

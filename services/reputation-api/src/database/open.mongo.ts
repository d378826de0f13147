import { randomBytes } from 'node:crypto';
import { MongoOutbox, openMongoStore } from '@lobbystats/service-kit/mongo';
import { reputationSchema } from './reputation-schema.mongo.ts';

/** The state of the ledger, one document. */
export interface StateRow {
  _id: 'reputation';
  revision: number;
  turn: number;
  markKey: string;
}

/**
 * Connects to a MongoDB database that the init job has prepared. Any number of processes may share it.
 *
 * @param url `mongodb://user:password@host:port/database?…`
 * @param waitMs how long to wait for an unavailable server; default: 30 s
 * @throws StartupError when the database isn't prepared, or belongs to another network or newer code
 * @throws AppError `unavailable` when the server is unavailable for that time
 */
export async function openMongo(url: string, origin: string, waitMs?: number) {
  const store = await openMongoStore({
    url,
    origin,
    schema: reputationSchema,
    ...(waitMs !== undefined && { waitMs }),
  });
  const states = store.collection<StateRow>('reputation');
  const first = { revision: 0, turn: 0, markKey: randomBytes(32).toString('hex') };
  try {
    await store.run(() => states.updateOne({ _id: 'reputation' }, { $setOnInsert: first }, { upsert: true }));
  } catch (error) {
    await store.close();
    throw error;
  }
  return { store, outbox: new MongoOutbox(store, 'reputation') };
}

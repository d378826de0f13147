import { randomBytes } from 'node:crypto';
import { AppError } from '@lobbystats/contracts/errors';
import { MongoOutbox, openMongoStore, type MongoStore } from '@lobbystats/service-kit/mongo';
import { keyedHash } from '@lobbystats/service-kit';
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { ratingId } from '../ratings/rating.ts';
import type { Change, ReputationStore } from '../ratings/reputation-store.ts';
import { readBefore, reputationReads } from './reputation-reads.mongo.ts';
import { reputationSchema } from './reputation-schema.mongo.ts';

interface StateRow {
  _id: 'reputation';
  revision: number;
  turn: number;
  markKey: string;
}

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
  const schema = reputationSchema;
  const store = await openMongoStore({ url, origin, schema, ...(waitMs !== undefined && { waitMs }) });
  const outbox = new MongoOutbox(store, 'reputation');
  const states = store.collection<StateRow>('reputation');
  const first = { revision: 0, turn: 0, markKey: randomBytes(32).toString('hex') };
  try {
    await store.run(() => states.updateOne({ _id: 'reputation' }, { $setOnInsert: first }, { upsert: true }));
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    ...reputationReads(store),
    change: (reads, workOut, withinMs = Infinity) => {
      const endMs = performance.now() + withinMs;
      return store.transaction(async (session, storeWants) => {
        // Gives up early, so that abandoned requests don't pile up during an outage.
        const checkDeadline = () => {
          storeWants();
          if (performance.now() >= endMs) throw new AppError('unavailable', 'The store does not answer in time');
        };
        checkDeadline();
        const state = await states.findOneAndUpdate({ _id: 'reputation' }, { $inc: { turn: 1 } }, { session });
        if (state === null)
          throw new Error('The state document is missing: the database was emptied while the service runs');
        checkDeadline();
        const before = await readBefore(store, reads, state.markKey, session);
        const { result, change } = workOut({ revision: state.revision, ...before });
        if (change === undefined) return result;
        for (const step of stepsOf(store, outbox, change, state.markKey)) {
          checkDeadline();
          await step(session);
        }
        return result;
      });
    },
    outbox,
    check: () => store.check(),
    close: () => store.close(),
  };
}

interface Row {
  _id: string;
}

type Step = (session: ClientSession) => Promise<unknown>;

function stepsOf(store: MongoStore, outbox: MongoOutbox, change: Change, markKey: string): Step[] {
  const { revision, users, removedUsers, ratings, removedRatings, erased, allowed = [], facts } = change;
  const states = store.collection<StateRow>('reputation');
  const write = (collection: string, writes: AnyBulkWriteOperation<Row>[]): Step[] =>
    writes.length === 0 ? [] : [(session) => store.collection<Row>(collection).bulkWrite(writes, { session })];
  return [
    (session) => states.updateOne({ _id: 'reputation' }, { $set: { revision } }, { session }),
    (session) => outbox.add(facts, session),
    ...write('rated_user', [
      ...users.map(({ key, ...fields }) => replaceRow(key, fields)),
      ...removedUsers.map(removeRow),
    ]),
    ...write('rating', [
      ...ratings.map((rating) => replaceRow(ratingId(rating), rating)),
      ...removedRatings.map((key) => removeRow(ratingId(key))),
    ]),
    ...write('erased_user', [
      ...erased.map((key) => replaceRow(keyedHash(markKey, key), {})),
      ...allowed.map((key) => removeRow(keyedHash(markKey, key))),
    ]),
  ];
}

function replaceRow(_id: string, replacement: object) {
  return { replaceOne: { filter: { _id }, replacement, upsert: true } };
}

function removeRow(_id: string) {
  return { deleteOne: { filter: { _id } } };
}

import type { MongoOutbox, MongoStore } from '@lobbystats/mongo-store';
import { keyedHash } from '@lobbystats/service-kit';
import type { ClientSession } from 'mongodb';
import { ratingId } from '../../domain/rating.ts';
import type { Change, ReputationStore } from '../../domain/reputation-store.ts';
import { inTransaction } from './in-transaction.ts';
import { readBefore } from './reputation-reads.ts';
import {
  replaceUser,
  replaceRating,
  type ErasureRow,
  type UserRow,
  type RatingRow,
  type StateRow,
} from './reputation-rows.ts';

export function reputationWrites(store: MongoStore, outbox: MongoOutbox) {
  const states = store.collection<StateRow>('reputation');
  return {
    change: (reads, workOut, withinMs) =>
      inTransaction(store, withinMs, async (session, checkDeadline) => {
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
      }),
  } satisfies Partial<ReputationStore>;
}

type Step = (session: ClientSession) => Promise<unknown>;

function stepsOf(store: MongoStore, outbox: MongoOutbox, change: Change, markKey: string): Step[] {
  const { revision, users, removedUsers, ratings, removedRatings, erased, facts } = change;
  const states = store.collection<StateRow>('reputation');
  const steps: Step[] = [
    (session) => states.updateOne({ _id: 'reputation' }, { $set: { revision } }, { session }),
    (session) => outbox.add(facts, session),
  ];
  const userWrites = [...users.map(replaceUser), ...removedUsers.map((_id) => ({ deleteOne: { filter: { _id } } }))];
  const ratingWrites = [
    ...ratings.map(replaceRating),
    ...removedRatings.map((key) => ({ deleteOne: { filter: { _id: ratingId(key) } } })),
  ];
  const markWrites = erased.map((key) => ({
    replaceOne: { filter: { _id: keyedHash(markKey, key) }, replacement: {}, upsert: true },
  }));
  if (userWrites.length > 0) {
    steps.push((session) => store.collection<UserRow>('person').bulkWrite(userWrites, { session }));
  }
  if (ratingWrites.length > 0) {
    steps.push((session) => store.collection<RatingRow>('rating').bulkWrite(ratingWrites, { session }));
  }
  if (markWrites.length > 0) {
    steps.push((session) => store.collection<ErasureRow>('forgotten').bulkWrite(markWrites, { session }));
  }
  return steps;
}

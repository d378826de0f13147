import { writeSteps, type CommitStep, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { AnyBulkWriteOperation } from 'mongodb';
import { hasSameIndexedState, isRenamed, scoreDifferences, type UserChange } from './user-changes.ts';
import type { ScoreCountRow, UnlockCountRow, UnlockRow } from './collection-rows.mongo.ts';
import { indexedFields, stateFields, type UserRow } from './user-rows.mongo.ts';

export function userSteps(store: MongoStore, changes: readonly UserChange[]): CommitStep[] {
  const differences = scoreDifferences(changes);
  return [
    ...writeSteps<UserRow>(store, 'user', changes.map(userWrite)),
    ...writeSteps<UnlockRow>(store, 'unlock', changes.filter(isRenamed).map(renameUnlocks)),
    ...countSteps(store, differences),
  ];
}

export function countSteps(store: MongoStore, differences: ReadonlyMap<number, number>): CommitStep[] {
  const players = [...differences.values()].reduce((sum, difference) => sum + difference, 0);
  const lowered = [...differences.keys()].filter((score) => (differences.get(score) ?? 0) < 0);
  const emptyCounts = { _id: { $in: lowered }, count: 0 };
  return [
    ...writeSteps<ScoreCountRow>(store, 'score_count', Array.from(differences, incrementCount)),
    ...writeSteps<ScoreCountRow>(
      store,
      'score_count',
      lowered.length === 0 ? [] : [{ deleteMany: { filter: emptyCounts } }],
    ),
    ...writeSteps<UnlockCountRow>(
      store,
      'unlock_count',
      players === 0 ? [] : [incrementCount(['players', players] as const)],
    ),
  ];
}

export function incrementCount<Id extends number | string>([_id, difference]: readonly [Id, number]) {
  return { updateOne: { filter: { _id }, update: { $inc: { count: difference } }, upsert: true } };
}

/** Writes only changed fields, since the rest is indexed. */
function userWrite(change: UserChange): AnyBulkWriteOperation<UserRow> {
  const { user, before } = change;
  const state = stateFields(user);
  if (before === undefined) return { insertOne: { document: { _id: user.key, ...indexedFields(user), ...state } } };
  const $set = hasSameIndexedState(change) ? state : { ...state, ...indexedFields(user) };
  return { updateOne: { filter: { _id: user.key }, update: { $set } } };
}

function renameUnlocks({ user }: UserChange): AnyBulkWriteOperation<UnlockRow> {
  return { updateMany: { filter: { userKey: user.key }, update: { $set: { username: user.username } } } };
}

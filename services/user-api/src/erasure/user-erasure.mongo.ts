import { nameKey } from '@lobbystats/contracts';
import type { MongoOutbox, MongoStore } from '@lobbystats/service-kit/mongo';
import type { ClientSession } from 'mongodb';
import { occurrenceRanges } from '../following/occurrences.ts';
import type { ErasureCommand, ErasureStore } from './erasure-store.ts';
import {
  dayKeyOf,
  dayRowId,
  type DiscordRow,
  type ErasureRow,
  type StateRow,
  type PlayerRow,
  type UnlockCountRow,
  type UnlockRow,
} from '../users/collection-rows.mongo.ts';
import type { UserRow } from '../users/user-rows.mongo.ts';
import { countSteps } from '../users/user-steps.mongo.ts';

export function userErasure(store: MongoStore, outbox: MongoOutbox) {
  const states = store.collection<StateRow>('user_state');
  return {
    eraseUser: async (command) => {
      await store.transaction(async (session) => {
        // First: a concurrent commit then restarts instead of this one.
        await states.updateOne({ _id: 'users' }, { $inc: { revision: 1 } }, { session });
        await outbox.add(command.facts, session);
        await storeHashes(store, command, session);
        await removeUser(store, command, session);
        await removePlayer(store, command, session);
        await removeNews(store, command, session);
      });
    },
    allowUser: ({ hashes, facts }) =>
      store.transaction(async (session) => {
        const erased = store.collection<ErasureRow>('erased_user');
        const { deletedCount } = await erased.deleteMany({ _id: { $in: [...hashes] } }, { session });
        if (deletedCount > 0) await outbox.add(facts, session);
        return deletedCount > 0;
      }),
  } satisfies ErasureStore;
}

async function storeHashes(store: MongoStore, { hashes }: ErasureCommand, session: ClientSession): Promise<void> {
  const erased = store.collection<ErasureRow>('erased_user');
  for (const _id of hashes) await erased.updateOne({ _id }, { $setOnInsert: {} }, { session, upsert: true });
}

async function removeUser(store: MongoStore, { userKey }: ErasureCommand, session: ClientSession): Promise<void> {
  const row = await store.collection<UserRow>('user').findOneAndDelete({ _id: userKey }, { session });
  await removeUnlocks(store, userKey, session);
  await removeDays(store, 'play_day', userKey, session);
  for (const name of ['following', 'notification', 'delivery', 'channel']) {
    await store.collection<{ userKey: string }>(name).deleteMany({ userKey: { $eq: userKey } }, { session });
  }
  await store.collection<{ _id: string }>('quiet_hours').deleteOne({ _id: userKey }, { session });
  if (row === null) return;
  if (row.rankedScore !== null) {
    for (const step of countSteps(store, new Map([[row.rankedScore, -1]]))) await step(session);
  }
  const discordId = row.profile?.discordId ?? null;
  if (discordId !== null) await store.collection<DiscordRow>('discord').deleteOne({ _id: discordId }, { session });
}

async function removeUnlocks(store: MongoStore, userKey: string, session: ClientSession): Promise<void> {
  const unlocks = store.collection<UnlockRow>('unlock');
  const rows = await unlocks.find({ userKey: { $eq: userKey } }, { session }).toArray();
  if (rows.length === 0) return;
  const ids = rows.map(({ achievementId }) => achievementId);
  await unlocks.deleteMany({ userKey: { $eq: userKey } }, { session });
  await store
    .collection<UnlockCountRow>('unlock_count')
    .updateMany({ _id: { $in: ids } }, { $inc: { count: -1 } }, { session });
}

async function removePlayer(store: MongoStore, { playerKey }: ErasureCommand, session: ClientSession): Promise<void> {
  if (playerKey === undefined) return;
  await store.collection<PlayerRow>('player').deleteOne({ _id: playerKey }, { session });
  await removeDays(store, 'host_day', playerKey, session);
}

/** Removes what followers have been notified of, and would be. */
async function removeNews(
  store: MongoStore,
  { userKey, playerKey = userKey }: ErasureCommand,
  session: ClientSession,
): Promise<void> {
  const targets = [nameKey(userKey), playerKey];
  const notifications = store.collection<{ kind: string; target: string }>('notification');
  await notifications.deleteMany({ kind: 'player', target: { $in: targets } }, { session });
  const occurrences = store.collection<{ _id: string; target: string }>('occurrence');
  for (const { from, before, target } of targets.flatMap(occurrenceRanges)) {
    await occurrences.deleteMany({ _id: { $gte: from, $lt: before }, target: { $eq: target } }, { session });
  }
}

/** Enumerates row IDs of about 30 days, since rows have no index by key. */
async function removeDays(
  store: MongoStore,
  collection: 'play_day' | 'host_day',
  key: string,
  session: ClientSession,
): Promise<void> {
  const days = store.collection<{ _id: string }>(collection);
  const first = await days.findOne({}, { session, sort: { _id: 1 }, projection: { _id: 1 } });
  const last = await days.findOne({}, { session, sort: { _id: -1 }, projection: { _id: 1 } });
  if (first === null || last === null) return;
  const from = dayKeyOf(first._id).day;
  const ids = Array.from({ length: dayKeyOf(last._id).day - from + 1 }, (_, index) => dayRowId(from + index, key));
  await days.deleteMany({ _id: { $in: ids } }, { session });
}

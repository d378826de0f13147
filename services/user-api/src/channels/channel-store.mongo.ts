import { REQUEST_TIMEOUT_MS, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { ClientSession } from 'mongodb';
import type { NotificationRecord } from '../following/follow-store.ts';
import type { UserRow } from '../users/user-rows.mongo.ts';
import {
  channelOf,
  deliveryOf,
  deliveryRowId,
  putConditions,
  removeChannel,
  type ChannelRow,
  type DeliveryRow,
} from './channel-rows.mongo.ts';
import type { ChannelStore, DeliveryRecord } from './channel-store.ts';
import { channelTurns } from './channel-turns.mongo.ts';

const ROWS_PER_REMOVAL = 5000;

export function mongoChannelStore(store: MongoStore): ChannelStore {
  const channels = store.collection<ChannelRow>('channel');
  const deliveries = store.collection<DeliveryRow>('delivery');
  const users = store.collection<UserRow & { followChanges?: number }>('user');
  return {
    channelsOf: async (userKey) => {
      const rows = await store.run(
        () =>
          channels
            .find({ userKey: { $eq: userKey } })
            .sort({ createdAt: 1, name: 1 })
            .toArray(),
        REQUEST_TIMEOUT_MS,
      );
      return rows.map(channelOf);
    },
    channel: async (_id) => {
      const row = await store.run(() => channels.findOne({ _id }), REQUEST_TIMEOUT_MS);
      return row === null ? undefined : channelOf(row);
    },
    putChannel: ({ id: _id, ...channel }, limit) =>
      store.transaction(async (session) => {
        const { userKey, name } = channel;
        // Conflicts with a concurrent erasure, so that nothing of an erased user remains.
        const { matchedCount } = await users.updateOne({ _id: userKey }, { $inc: { followChanges: 1 } }, { session });
        if (matchedCount === 0) return 'unknown';
        const stopped = { userKey: { $eq: userKey }, state: 'stopped' as const };
        if ((await channels.findOne(stopped, { session })) !== null) return 'stopped';
        const others = { userKey: { $eq: userKey }, name: { $ne: name } };
        if ((await channels.countDocuments(others, { session })) >= limit) return 'full';
        await removeChannel(store, { userKey: { $eq: userKey }, name: { $eq: name } }, session);
        await channels.insertOne({ _id, ...channel, lease: null, nextAt: null, servedAt: 0 }, { session });
        return 'written';
      }),
    removeChannel: (userKey, name) =>
      store.transaction((session) => removeChannel(store, { userKey: { $eq: userKey }, name: { $eq: name } }, session)),
    putCondition: (_id, condition, former) =>
      store.transaction(async (session) => {
        const state = former ?? { $exists: true };
        if ((await channels.findOne({ _id, state }, { session })) === null) return false;
        return (await putConditions(store, [{ channelId: _id, condition }], session)) > 0;
      }),
    putDelivery: (channelId, delivery) =>
      store.transaction(async (session) => {
        const row = await channels.findOne({ _id: channelId, state: { $in: ['active', 'unconfirmed'] } }, { session });
        if (row !== null) await addDeliveries(store, [{ channel: row, ...delivery }], session);
      }),
    deliveriesOf: async (channelId, limit) => {
      const rows = await store.run(
        () => deliveries.find({ channelId }).sort({ dueAt: -1, messageId: 1 }).limit(limit).toArray(),
        REQUEST_TIMEOUT_MS,
      );
      return rows.map(deliveryOf);
    },
    ...channelTurns(store),
    backlog: async (now) => {
      const waiting = { nextAt: { $lte: now } };
      const [first] = await store.run(() => channels.find(waiting).sort({ nextAt: 1 }).limit(1).toArray());
      const count = first === undefined ? 0 : await store.run(() => channels.countDocuments(waiting));
      return { channels: count, since: first?.nextAt ?? null };
    },
    removeDeliveriesBefore: async (at) => {
      const old = await store.run(() =>
        deliveries
          .find({ dueAt: { $lt: at } }, { projection: { _id: 1 } })
          .limit(ROWS_PER_REMOVAL)
          .toArray(),
      );
      const { deletedCount } = await store.run(() =>
        deliveries.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } }),
      );
      return deletedCount;
    },
  };
}

/** Call it in the transaction that writes the notifications. */
export async function addNotificationDeliveries(
  store: MongoStore,
  notifications: readonly Pick<NotificationRecord, 'id' | 'userKey' | 'dueAt'>[],
  session: ClientSession,
): Promise<void> {
  const userKeys = notifications.map(({ userKey }) => userKey);
  const rows = await store
    .collection<ChannelRow>('channel')
    .find({ userKey: { $in: userKeys }, state: 'active', kind: { $ne: 'feed' } }, { session })
    .toArray();
  const channels = Map.groupBy(rows, ({ userKey }) => userKey);
  const added = notifications.flatMap(({ id, userKey, dueAt }) =>
    (channels.get(userKey) ?? []).map((channel): NewDelivery => ({
      ...{ channel, messageId: id, type: 'notification', dueAt },
    })),
  );
  await addDeliveries(store, added, session);
}

interface NewDelivery extends Pick<DeliveryRecord, 'messageId' | 'type' | 'dueAt'> {
  readonly channel: ChannelRow;
}

async function addDeliveries(store: MongoStore, added: readonly NewDelivery[], session: ClientSession): Promise<void> {
  if (added.length === 0) return;
  const rowId = ({ channel, messageId }: NewDelivery) => deliveryRowId(channel._id, messageId);
  const deliveries = store.collection<DeliveryRow>('delivery');
  const known = new Set(await deliveries.distinct('_id', { _id: { $in: added.map(rowId) } }, { session }));
  const isNew = added.filter((one) => !known.has(rowId(one)));
  if (isNew.length === 0) return;
  await deliveries.insertMany(
    isNew.map(({ channel: { _id: channelId, userKey }, messageId, type, dueAt }) => ({
      ...{ _id: deliveryRowId(channelId, messageId), channelId, userKey, messageId, type, dueAt },
      ...{ state: 'waiting', attempts: 0, attemptedAt: null, result: null },
    })),
    { session },
  );
  const earlier = isNew.map(({ channel: { _id, blockedUntil }, dueAt }) => {
    const at = Math.max(blockedUntil, dueAt);
    const nextAt = { $min: [{ $ifNull: ['$nextAt', at] }, at] };
    // Always a change: it conflicts with a turn that ends and has not seen these deliveries.
    const changes = { $add: [{ $ifNull: ['$changes', 0] }, 1] };
    return { updateOne: { filter: { _id }, update: [{ $set: { nextAt, changes } }] } };
  });
  await store.collection<ChannelRow>('channel').bulkWrite(earlier, { session });
}

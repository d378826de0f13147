import { REQUEST_TIMEOUT_MS, type MongoStore } from '@lobbystats/mongo-store';
import type { ClientSession } from 'mongodb';
import type { NotificationRecord } from '../following/follow-store.ts';
import type { UserRow } from '../users/user-rows.mongo.ts';
import type {
  ChannelCondition,
  ChannelRecord,
  ChannelStore,
  DeliveryRecord,
  TurnResult,
  WaitingDelivery,
} from './channel-store.ts';

const DELIVERIES_PER_TURN = 10;
const ROWS_PER_REMOVAL = 5000;

/** `nextAt`: when the channel has something to deliver and is not blocked; null: nothing waits. */
interface ChannelRow extends Omit<ChannelRecord, 'id'> {
  _id: string;
  lease: string | null;
  nextAt: number | null;
  changes?: number;
}
interface DeliveryRow extends DeliveryRecord {
  _id: string;
  channelId: string;
  userKey: string;
}
interface NotificationRow extends Omit<NotificationRecord, 'id'> {
  _id: string;
}

export const deliveryRowId = (channelId: string, messageId: string) => `${channelId} ${messageId}`;

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
    putChannel: ({ id: _id, ...channel }, limit) =>
      store.transaction(async (session) => {
        const { userKey, name } = channel;
        // Conflicts with a concurrent erasure, so that nothing of an erased user remains.
        const { matchedCount } = await users.updateOne({ _id: userKey }, { $inc: { followChanges: 1 } }, { session });
        if (matchedCount === 0) return 'unknown';
        const others = { userKey: { $eq: userKey }, name: { $ne: name } };
        if ((await channels.countDocuments(others, { session })) >= limit) return 'full';
        await removeChannels(store, { userKey: { $eq: userKey }, name: { $eq: name } }, session);
        await channels.insertOne({ _id, ...channel, lease: null, nextAt: null }, { session });
        return 'written';
      }),
    removeChannel: (userKey, name) =>
      store.transaction((session) =>
        removeChannels(store, { userKey: { $eq: userKey }, name: { $eq: name } }, session),
      ),
    putCondition: (channelId, condition) =>
      store.transaction((session) => putCondition(store, channelId, condition, session)),
    putDelivery: (channelId, delivery) =>
      store.transaction(async (session) => {
        const row = await channels.findOne({ _id: channelId }, { session });
        if (row !== null) await addDeliveries(store, [{ channel: row, ...delivery }], session);
      }),
    deliveriesOf: async (channelId, limit) => {
      const rows = await store.run(
        () => deliveries.find({ channelId }).sort({ dueAt: -1, messageId: 1 }).limit(limit).toArray(),
        REQUEST_TIMEOUT_MS,
      );
      return rows.map(deliveryOf);
    },
    ...turns(store),
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

function turns(store: MongoStore) {
  const channels = store.collection<ChannelRow>('channel');
  return {
    claimTurns: async ({ now, lease, leasedUntil, limit }) => {
      const waiting = { nextAt: { $lte: now } };
      const found = await store.run(() =>
        channels
          .find(waiting, { projection: { _id: 1 } })
          .sort({ nextAt: 1 })
          .limit(limit)
          .toArray(),
      );
      if (found.length === 0) return [];
      const _id = { $in: found.map((row) => row._id) };
      // Another replica may have claimed some of them: those no longer match.
      await store.run(() =>
        channels.updateMany({ _id, ...waiting }, { $set: { lease, nextAt: leasedUntil, blockedUntil: leasedUntil } }),
      );
      const claimed = await store.run(() => channels.find({ _id, lease: { $eq: lease } }).toArray());
      const due = await dueDeliveries(
        store,
        claimed.map((row) => row._id),
        now,
      );
      return claimed.map((row) => ({ channel: channelOf(row), lease, deliveries: due.get(row._id) ?? [] }));
    },
    settleTurns: (results) =>
      store.transaction(async (session) => {
        for (const result of results) await settle(store, result, session);
      }),
  } satisfies Partial<ChannelStore>;
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
    .find({ userKey: { $in: userKeys }, state: 'active' }, { session })
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

async function dueDeliveries(
  store: MongoStore,
  channelIds: readonly string[],
  now: number,
): Promise<Map<string, WaitingDelivery[]>> {
  const groups = await store.run(() =>
    store
      .collection<DeliveryRow>('delivery')
      .aggregate<{ _id: string; rows: DeliveryRow[] }>([
        { $match: { channelId: { $in: channelIds }, state: 'waiting', dueAt: { $lte: now } } },
        { $sort: { dueAt: 1, messageId: 1 } },
        { $group: { _id: '$channelId', rows: { $firstN: { n: DELIVERIES_PER_TURN, input: '$$ROOT' } } } },
      ])
      .toArray(),
  );
  const ids = groups.flatMap(({ rows }) => rows.map(({ messageId }) => messageId));
  const found = await store.run(() =>
    store
      .collection<NotificationRow>('notification')
      .find({ _id: { $in: ids } })
      .toArray(),
  );
  const notifications = new Map(found.map(({ _id: id, ...row }) => [id, { id, ...row }]));
  return new Map(
    groups.map(({ _id, rows }) => [
      _id,
      rows.map((row) => ({ ...deliveryOf(row), notification: notifications.get(row.messageId) })),
    ]),
  );
}

async function settle(
  store: MongoStore,
  { channelId, lease, deliveries, condition }: TurnResult,
  session: ClientSession,
): Promise<void> {
  const writes = deliveries.map(({ messageId, state, attempts, attemptedAt, result }) => ({
    updateOne: {
      filter: { _id: deliveryRowId(channelId, messageId) },
      update: { $set: { state, attempts, attemptedAt, result } },
    },
  }));
  if (writes.length > 0) await store.collection<DeliveryRow>('delivery').bulkWrite(writes, { session });
  const leased = { _id: channelId, lease: { $eq: lease } };
  if ((await store.collection<ChannelRow>('channel').findOne(leased, { session })) === null) return;
  if (condition === null) await removeChannels(store, { _id: channelId }, session);
  else await putCondition(store, channelId, condition, session);
}

async function putCondition(
  store: MongoStore,
  channelId: string,
  { state, failingSince, failures, problem, blockedUntil }: ChannelCondition,
  session: ClientSession,
): Promise<boolean> {
  const deliveries = store.collection<DeliveryRow>('delivery');
  const waiting = { channelId, state: 'waiting' } as const;
  if (state === 'off' || state === 'stopped') {
    await deliveries.updateMany(waiting, { $set: { state: 'expired' } }, { session });
  }
  const first = await deliveries.findOne(waiting, { session, sort: { dueAt: 1 } });
  const nextAt = first === null ? null : Math.max(first.dueAt, blockedUntil);
  const condition = { state, failingSince, failures, problem, blockedUntil, lease: null, nextAt };
  const { matchedCount } = await store
    .collection<ChannelRow>('channel')
    .updateOne({ _id: channelId }, { $set: condition }, { session });
  return matchedCount > 0;
}

type ChannelFilter = { _id: string } | { userKey: { $eq: string }; name?: { $eq: string } };

/** Removes channels with their deliveries. */
async function removeChannels(store: MongoStore, filter: ChannelFilter, session: ClientSession): Promise<boolean> {
  const channels = store.collection<ChannelRow>('channel');
  const ids = await channels.distinct('_id', filter, { session });
  await store.collection<DeliveryRow>('delivery').deleteMany({ channelId: { $in: ids } }, { session });
  return (await channels.deleteMany({ _id: { $in: ids } }, { session })).deletedCount > 0;
}

function channelOf({ _id: id, lease: _, nextAt: __, changes: ___, ...row }: ChannelRow): ChannelRecord {
  return { id, ...row };
}

function deliveryOf({ messageId, type, dueAt, state, attempts, attemptedAt, result }: DeliveryRow): DeliveryRecord {
  return { messageId, type, dueAt, state, attempts, attemptedAt, result };
}

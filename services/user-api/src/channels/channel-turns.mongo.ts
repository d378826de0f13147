import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { ClientSession } from 'mongodb';
import type { NotificationRecord } from '../following/follow-store.ts';
import {
  channelOf,
  deliveryOf,
  deliveryRowId,
  putConditions,
  type ChannelRow,
  type DeliveryRow,
} from './channel-rows.mongo.ts';
import type { ChannelStore, TurnResult, WaitingDelivery } from './channel-store.ts';

const DELIVERIES_PER_TURN = 10;
/** Far more than one account has channels. */
const CANDIDATES = 512;

interface NotificationRow extends Omit<NotificationRecord, 'id'> {
  _id: string;
}

export function channelTurns(store: MongoStore) {
  const channels = store.collection<ChannelRow>('channel');
  return {
    claimTurns: async ({ now, lease, leasedUntil, limit, shares }) => {
      const waiting = { nextAt: { $lte: now } };
      const mayRun = { userKey: { $nin: [...shares.userKeys] }, receiver: { $nin: [...shares.receivers] } };
      const candidates = await store.run(() =>
        channels
          .find({ ...waiting, ...mayRun }, { projection: { userKey: 1, receiver: 1 } })
          .sort({ servedAt: 1, nextAt: 1 })
          .limit(CANDIDATES)
          .toArray(),
      );
      const found = shares.pick(
        candidates.map(({ _id: id, userKey, receiver }) => ({ id, userKey, receiver })),
        limit,
      );
      if (found.length === 0) return [];
      const _id = { $in: found.map(({ id }) => id) };
      const userKey = { $in: [...new Set(found.map((one) => one.userKey))] };
      await store.run(() => channels.updateMany({ userKey, servedAt: { $lt: now } }, { $set: { servedAt: now } }));
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
        await putResults(store, results, session);
        const ids = results.map(({ channelId }) => channelId);
        const rows = await channels.find({ _id: { $in: ids } }, { session, projection: { lease: 1 } }).toArray();
        const leases = new Map(rows.map(({ _id, lease }) => [_id, lease]));
        const leased = results.filter(({ channelId, lease }) => leases.get(channelId) === lease);
        await putConditions(store, leased, session);
      }),
  } satisfies Partial<ChannelStore>;
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

async function putResults(store: MongoStore, results: readonly TurnResult[], session: ClientSession): Promise<void> {
  const writes = results.flatMap(({ channelId, deliveries }) =>
    deliveries.map(({ messageId, state, attempts, attemptedAt, result, dueAt }) => ({
      updateOne: {
        filter: {
          _id: deliveryRowId(channelId, messageId),
          ...(state !== 'delivered' && { state: 'waiting' as const }),
        },
        update: { $set: { state, attempts, attemptedAt, result, ...(dueAt !== undefined && { dueAt }) } },
      },
    })),
  );
  if (writes.length > 0) await store.collection<DeliveryRow>('delivery').bulkWrite(writes, { session });
}

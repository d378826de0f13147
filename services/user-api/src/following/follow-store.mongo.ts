import type { QuietHours } from '@lobbystats/contracts';
import { REQUEST_TIMEOUT_MS, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { ClientSession } from 'mongodb';
import type { UserRow } from '../users/user-rows.mongo.ts';
import type { FollowStore, NotificationRecord, Occurrence, Subscription } from './follow-store.ts';

const ROWS_PER_REMOVAL = 5000;

interface SubscriptionRow extends Omit<Subscription, 'rules'> {
  _id: string;
  /** JSON. */
  rules: string;
}
interface QuietRow extends QuietHours {
  _id: string;
}
interface TriggerStateRow {
  _id: string;
  version: number;
  value: string;
}
/** `place`: seconds and a random part. Order matters only within minutes. */
interface OccurrenceRow extends Omit<Occurrence, 'id'> {
  _id: string;
  place: number;
  /** null when all subscribers have been notified. */
  after: string | null;
}
interface NotificationRow extends Omit<NotificationRecord, 'id'> {
  _id: string;
}

export const subscriptionRowId = ({ userKey, kind, target }: Pick<Subscription, 'userKey' | 'kind' | 'target'>) =>
  `${kind} ${userKey} ${target}`;

/** Adds the deliveries of notifications to the transaction that writes them. */
type AddDeliveries = (
  store: MongoStore,
  notifications: readonly Pick<NotificationRecord, 'id' | 'userKey' | 'dueAt'>[],
  session: ClientSession,
) => Promise<void>;

export function mongoFollowStore(store: MongoStore, addDeliveries: AddDeliveries): FollowStore {
  const following = store.collection<SubscriptionRow>('following');
  const quiet = store.collection<QuietRow>('quiet_hours');
  const users = store.collection<UserRow & { followChanges?: number }>('user');
  // Conflicts with a concurrent erasure, so that nothing of an erased user remains.
  const lockUser = async (userKey: string, session: ClientSession): Promise<boolean> => {
    const { matchedCount } = await users.updateOne({ _id: userKey }, { $inc: { followChanges: 1 } }, { session });
    return matchedCount > 0;
  };
  return {
    subscriptionsOf: async (userKey) => {
      const rows = await store.run(
        () =>
          following
            .find({ userKey: { $eq: userKey } })
            .sort({ followedAt: -1, kind: 1, target: 1 })
            .toArray(),
        REQUEST_TIMEOUT_MS,
      );
      return rows.map(subscriptionOf);
    },
    putSubscription: (subscription, limit) =>
      store.transaction(async (session) => {
        const { userKey, rules, id, ...rest } = subscription;
        if (!(await lockUser(userKey, session))) return 'unknown';
        const _id = subscriptionRowId(subscription);
        const others = { userKey: { $eq: userKey }, _id: { $ne: _id } };
        if ((await following.countDocuments(others, { session })) >= limit) return 'full';
        await following.updateOne(
          { _id },
          { $set: { id, rules: JSON.stringify(rules) }, $setOnInsert: { userKey, ...rest } },
          { session, upsert: true },
        );
        return 'written';
      }),
    removeSubscription: async (userKey, kind, target) => {
      const { deletedCount } = await store.run(() =>
        following.deleteOne({ _id: subscriptionRowId({ userKey, kind, target }) }),
      );
      return deletedCount > 0;
    },
    quietHours: async (userKeys) => {
      const rows = await store.run(() => quiet.find({ _id: { $in: [...userKeys] } }).toArray());
      return new Map(rows.map(({ _id, from, to, timeZone }) => [_id, { from, to, timeZone }]));
    },
    putQuietHours: (userKey, quietHours) =>
      store.transaction(async (session) => {
        if (!(await lockUser(userKey, session))) return false;
        if (quietHours === null) await quiet.deleteOne({ _id: userKey }, { session });
        else await quiet.replaceOne({ _id: userKey }, quietHours, { session, upsert: true });
        return true;
      }),
    ...occurrences(store),
    ...notifications(store, addDeliveries),
  };
}

function occurrences(store: MongoStore) {
  const following = store.collection<SubscriptionRow>('following');
  const states = store.collection<TriggerStateRow>('trigger_state');
  const rows = store.collection<OccurrenceRow>('occurrence');
  return {
    followedTargets: async (kind, targets) =>
      new Set(await store.run(() => following.distinct('target', { kind, target: { $in: [...targets] } }))),
    subscribers: async ({ kind, target, userKey }, after, limit) => {
      const who = userKey === null ? { $gt: after } : { $eq: userKey, $gt: after };
      const found = await store.run(() =>
        following
          .find({ kind, target: { $eq: target }, userKey: who })
          .sort({ userKey: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(subscriptionOf);
    },
    state: async (name) => {
      const row = await store.run(() => states.findOne({ _id: name }));
      return { name, version: row?.version ?? 0, value: row?.value ?? '' };
    },
    record: (found, state) =>
      store.transaction(async (session) => {
        if (state !== undefined) {
          const { name: _id, version, value } = state;
          const current = await states.findOne({ _id }, { session });
          if ((current?.version ?? 0) !== version) return false;
          await states.replaceOne({ _id }, { version: version + 1, value }, { session, upsert: true });
        }
        for (const [index, { id: _id, ...occurrence }] of found.entries()) {
          const row = { ...occurrence, place: occurrence.at + index / found.length, after: '' };
          await rows.updateOne({ _id }, { $setOnInsert: row }, { session, upsert: true });
        }
        return true;
      }),
    pendingOccurrences: async (limit) => {
      const found = await store.run(() =>
        rows
          .find({ after: { $type: 'string' } })
          .sort({ place: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(({ _id: id, after, ...row }) => ({ ...row, id, after: after ?? '' }));
    },
  } satisfies Partial<FollowStore>;
}

function notifications(store: MongoStore, addDeliveries: AddDeliveries) {
  const occurrenceRows = store.collection<OccurrenceRow>('occurrence');
  const rows = store.collection<NotificationRow>('notification');
  const following = store.collection<SubscriptionRow>('following');
  return {
    latestNotifications: async ({ kind, target, rule }, userKeys, since) => {
      const found = await store.run(() =>
        rows
          .find({ kind, target: { $eq: target }, rule, userKey: { $in: [...userKeys] }, dueAt: { $gt: since } })
          .sort({ dueAt: 1 })
          .toArray(),
      );
      return new Map(found.map((row) => [row.userKey, notificationOf(row)]));
    },
    commitFanOut: ({ occurrence, after, notifications: some }) =>
      store.transaction(async (session) => {
        const { modifiedCount } = await occurrenceRows.updateOne(
          { _id: occurrence.id, after: { $eq: occurrence.after } },
          { $set: { after: after ?? null } },
          { session },
        );
        if (modifiedCount === 0) return false;
        // Nobody who was erased, or who unfollowed, since the batch was read.
        const ids = some.map(subscriptionRowId);
        const followers = new Set(await following.distinct('_id', { _id: { $in: ids } }, { session }));
        const remaining = some.filter((one) => followers.has(subscriptionRowId(one)));
        const writes = remaining.map(({ id: _id, happenedAt, title, items, count, ...rest }) => ({
          updateOne: {
            filter: { _id },
            update: { $set: { happenedAt, title, items: [...items], count }, $setOnInsert: rest },
            upsert: true,
          },
        }));
        if (writes.length > 0) await rows.bulkWrite(writes, { session });
        await addDeliveries(store, remaining, session);
        return true;
      }),
    notificationsOf: async (userKey, until, limit) => {
      const found = await store.run(
        () =>
          rows
            .find({ userKey: { $eq: userKey }, dueAt: { $lte: until } })
            .sort({ dueAt: -1, _id: 1 })
            .limit(limit)
            .toArray(),
        REQUEST_TIMEOUT_MS,
      );
      return found.map(notificationOf);
    },
    removeNotificationsBefore: async (at) => {
      const old = await store.run(() =>
        rows
          .find({ dueAt: { $lt: at } }, { projection: { _id: 1 } })
          .limit(ROWS_PER_REMOVAL)
          .toArray(),
      );
      const finished = await store.run(() =>
        occurrenceRows
          .find({ at: { $lt: at }, after: null }, { projection: { _id: 1 } })
          .limit(ROWS_PER_REMOVAL)
          .toArray(),
      );
      const ids = (found: readonly { _id: string }[]) => ({ _id: { $in: found.map(({ _id }) => _id) } });
      const removed = await store.run(() => rows.deleteMany(ids(old)));
      const others = await store.run(() => occurrenceRows.deleteMany(ids(finished)));
      return removed.deletedCount + others.deletedCount;
    },
  } satisfies Partial<FollowStore>;
}

function subscriptionOf({ rules, userKey, kind, target, id, followedAt }: SubscriptionRow): Subscription {
  return { userKey, kind, target, id, rules: JSON.parse(rules) as Subscription['rules'], followedAt };
}

function notificationOf({ _id: id, ...row }: NotificationRow): NotificationRecord {
  return { id, ...row };
}

import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { ClientSession } from 'mongodb';
import type { ChannelCondition, ChannelRecord, DeliveryRecord } from './channel-store.ts';

/** `nextAt`: when the channel has something to deliver and is not blocked; null: nothing waits. */
export interface ChannelRow extends Omit<ChannelRecord, 'id'> {
  _id: string;
  lease: string | null;
  nextAt: number | null;
  /** When a channel of its user had the last turn. */
  servedAt: number;
  changes?: number;
}
export interface DeliveryRow extends DeliveryRecord {
  _id: string;
  channelId: string;
  userKey: string;
}
export const deliveryRowId = (channelId: string, messageId: string) => `${channelId} ${messageId}`;

interface NewCondition {
  readonly channelId: string;
  readonly condition: ChannelCondition;
}

/** Returns the number of channels that exist. */
export async function putConditions(
  store: MongoStore,
  changed: readonly NewCondition[],
  session: ClientSession,
): Promise<number> {
  if (changed.length === 0) return 0;
  const deliveries = store.collection<DeliveryRow>('delivery');
  const waitingOf = (some: readonly NewCondition[]) => ({
    channelId: { $in: some.map(({ channelId }) => channelId) },
    state: 'waiting' as const,
  });
  const ended = changed.filter(({ condition: { state } }) => state === 'off' || state === 'stopped');
  if (ended.length > 0) await deliveries.updateMany(waitingOf(ended), { $set: { state: 'expired' } }, { session });
  const first = await deliveries
    .aggregate<{ _id: string; dueAt: number }>(
      [{ $match: waitingOf(changed) }, { $group: { _id: '$channelId', dueAt: { $min: '$dueAt' } } }],
      { session },
    )
    .toArray();
  const dueAt = new Map(first.map((row) => [row._id, row.dueAt]));
  const writes = changed.map(({ channelId, condition }) => {
    const { state, failingSince, failures, problem, blockedUntil } = condition;
    const due = dueAt.get(channelId);
    const nextAt = due === undefined ? null : Math.max(due, blockedUntil);
    const update = { $set: { state, failingSince, failures, problem, blockedUntil, lease: null, nextAt } };
    return { updateOne: { filter: { _id: channelId }, update } };
  });
  return (await store.collection<ChannelRow>('channel').bulkWrite(writes, { session })).matchedCount;
}

/** Removes a channel with its deliveries. */
export async function removeChannel(
  store: MongoStore,
  filter: { userKey: { $eq: string }; name: { $eq: string } },
  session: ClientSession,
): Promise<boolean> {
  const channels = store.collection<ChannelRow>('channel');
  const ids = await channels.distinct('_id', filter, { session });
  await store.collection<DeliveryRow>('delivery').deleteMany({ channelId: { $in: ids } }, { session });
  return (await channels.deleteMany({ _id: { $in: ids } }, { session })).deletedCount > 0;
}

export function channelOf({
  _id: id,
  lease: _,
  nextAt: __,
  servedAt: ___,
  changes: ____,
  ...row
}: ChannelRow): ChannelRecord {
  return { id, ...row };
}

export function deliveryOf({
  messageId,
  type,
  dueAt,
  state,
  attempts,
  attemptedAt,
  result,
}: DeliveryRow): DeliveryRecord {
  return { messageId, type, dueAt, state, attempts, attemptedAt, result };
}

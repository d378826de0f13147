import type { EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { NotificationRecord } from '../following/follow-store.ts';
import type {
  Candidate,
  ChannelCondition,
  ChannelRecord,
  ChannelStore,
  DeliveryRecord,
  TurnResult,
  WaitingDelivery,
} from './channel-store.ts';

export const CHANNEL_COLUMNS =
  'id, user_key AS userKey, name, kind, sealed, receiver, created_at AS createdAt, state, failing_since AS failingSince, failures, problem, blocked_until AS blockedUntil';
export const DELIVERY_COLUMNS =
  'message_id AS messageId, type, due_at AS dueAt, delivery.state, attempts, attempted_at AS attemptedAt, result';
const DELIVERIES_PER_TURN = 10;
/** Far more than one account has channels. */
const CANDIDATES = 512;
const ROWS_PER_REMOVAL = 5000;

export function sqliteChannelStore(sqlite: SqliteStore): ChannelStore {
  return {
    channelsOf: async (userKey) =>
      sqlite.all<ChannelRecord>(
        `SELECT ${CHANNEL_COLUMNS} FROM channel WHERE user_key = ? ORDER BY created_at, name`,
        userKey,
      ),
    channel: async (id) => sqlite.get<ChannelRecord>(`SELECT ${CHANNEL_COLUMNS} FROM channel WHERE id = ?`, id),
    putChannel: async (channel, limit) =>
      sqlite.transaction(() => {
        const { id, userKey, name, kind, sealed, receiver, createdAt } = channel;
        if (sqlite.get('SELECT 1 FROM user WHERE key = ?', userKey) === undefined) return 'unknown';
        const stopped = `SELECT 1 FROM channel WHERE user_key = ? AND state = 'stopped'`;
        if (sqlite.get(stopped, userKey) !== undefined) return 'stopped';
        const others = 'SELECT count(*) AS n FROM channel WHERE user_key = ? AND name <> ?';
        if ((sqlite.get<{ n: number }>(others, userKey, name)?.n ?? 0) >= limit) return 'full';
        removeChannel(sqlite, userKey, name);
        const { state, failingSince, failures, problem, blockedUntil } = channel;
        sqlite.run(
          `INSERT INTO channel
            (id, user_key, name, kind, sealed, receiver, created_at, state, failing_since, failures, problem, blocked_until,
              served_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
          ...[
            id,
            userKey,
            name,
            kind,
            sealed,
            receiver,
            createdAt,
            state,
            failingSince,
            failures,
            problem,
            blockedUntil,
          ],
        );
        return 'written';
      }),
    removeChannel: async (userKey, name) => sqlite.transaction(() => removeChannel(sqlite, userKey, name)),
    putCondition: async (channelId, condition, former) =>
      sqlite.transaction(() => {
        const isChanged = `SELECT 1 FROM channel WHERE id = ? AND state <> ifnull(?, state)`;
        if (sqlite.get(isChanged, channelId, former ?? null) !== undefined) return false;
        return putCondition(sqlite, channelId, condition);
      }),
    putDelivery: async (channelId, { messageId, type, dueAt }) =>
      sqlite.transaction(() => {
        addDeliveries(sqlite, { messageId, type, dueAt }, `id = ? AND state IN ('active', 'unconfirmed')`, channelId);
      }),
    deliveriesOf: async (channelId, limit) =>
      sqlite.all<DeliveryRecord>(
        `SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE channel_id = ? ORDER BY due_at DESC, message_id LIMIT ?`,
        ...[channelId, limit],
      ),
    ...turns(sqlite),
    backlog: async (now) => ({
      channels: 0,
      since: null,
      ...sqlite.get<{ channels: number; since: EpochSeconds | null }>(
        'SELECT count(*) AS channels, min(next_at) AS since FROM channel WHERE next_at <= ?',
        now,
      ),
    }),
    removeDeliveriesBefore: async (at) =>
      sqlite.run(
        `DELETE FROM delivery WHERE (channel_id, message_id) IN
          (SELECT channel_id, message_id FROM delivery WHERE due_at < ? LIMIT ?)`,
        ...[at, ROWS_PER_REMOVAL],
      ),
  };
}

function turns(sqlite: SqliteStore) {
  return {
    // A lease that is lost with the power ends early, and its deliveries are repeated.
    claimTurns: async ({ now, lease, leasedUntil, limit, shares }) => {
      // Nothing is written while nothing waits.
      if (sqlite.get('SELECT 1 FROM channel WHERE next_at <= ? LIMIT 1', now) === undefined) return [];
      return sqlite.nonDurableTransaction(() => {
        const candidates = sqlite.all<Candidate>(
          `SELECT id, user_key AS userKey, receiver FROM channel WHERE next_at <= ?
            AND user_key NOT IN (SELECT value FROM json_each(?)) AND receiver NOT IN (SELECT value FROM json_each(?))
            ORDER BY served_at, next_at LIMIT ?`,
          ...[now, JSON.stringify(shares.userKeys), JSON.stringify(shares.receivers), CANDIDATES],
        );
        const picked = shares.pick(candidates, limit);
        for (const userKey of new Set(picked.map((one) => one.userKey))) {
          sqlite.run('UPDATE channel SET served_at = ? WHERE user_key = ?', now, userKey);
        }
        return picked.flatMap(({ id }) => {
          sqlite.run(
            'UPDATE channel SET lease = ?, next_at = ?, blocked_until = ? WHERE id = ?',
            ...[lease, leasedUntil, leasedUntil, id],
          );
          const channel = sqlite.get<ChannelRecord>(`SELECT ${CHANNEL_COLUMNS} FROM channel WHERE id = ?`, id);
          return channel === undefined ? [] : [{ channel, lease, deliveries: dueDeliveries(sqlite, id, now) }];
        });
      });
    },
    settleTurns: async (results) => {
      sqlite.nonDurableTransaction(() => {
        for (const result of results) settle(sqlite, result);
      });
    },
  } satisfies Partial<ChannelStore>;
}

/** Call it in the transaction that writes the notification. */
export function addNotificationDeliveries(
  sqlite: SqliteStore,
  { id, userKey, dueAt }: Pick<NotificationRecord, 'id' | 'userKey' | 'dueAt'>,
): void {
  const message = { messageId: id, type: 'notification', dueAt } as const;
  addDeliveries(sqlite, message, `user_key = ? AND state = 'active' AND kind <> 'feed'`, userKey);
}

function addDeliveries(
  sqlite: SqliteStore,
  { messageId, type, dueAt }: Pick<DeliveryRecord, 'messageId' | 'type' | 'dueAt'>,
  where: string,
  value: string,
): void {
  const added = sqlite.run(
    `INSERT INTO delivery (channel_id, message_id, user_key, type, due_at, state, attempts)
      SELECT id, ?, user_key, ?, ?, 'waiting', 0 FROM channel WHERE ${where} ON CONFLICT DO NOTHING`,
    ...[messageId, type, dueAt, value],
  );
  if (added === 0) return;
  sqlite.run(
    `UPDATE channel SET next_at = min(ifnull(next_at, ?), max(blocked_until, ?)) WHERE ${where}`,
    ...[Number.MAX_SAFE_INTEGER, dueAt, value],
  );
}

interface WaitingRow extends DeliveryRecord {
  notification: string | null;
}

function dueDeliveries(sqlite: SqliteStore, channelId: string, now: EpochSeconds): WaitingDelivery[] {
  return sqlite
    .all<WaitingRow>(
      `SELECT ${DELIVERY_COLUMNS.replace('due_at', 'delivery.due_at')},
        CASE WHEN id IS NOT NULL THEN json_object('id', id, 'userKey', notification.user_key, 'kind', kind,
          'target', target, 'rule', rule, 'dueAt', notification.due_at, 'happenedAt', happened_at, 'title', title, 'items', json(items),
          'count', count) END AS notification
        FROM delivery LEFT JOIN notification ON id = message_id
        WHERE channel_id = ? AND delivery.state = 'waiting' AND delivery.due_at <= ?
        ORDER BY delivery.due_at, message_id LIMIT ?`,
      ...[channelId, now, DELIVERIES_PER_TURN],
    )
    .map(({ notification, ...row }) => ({
      ...row,
      notification: notification === null ? undefined : (JSON.parse(notification) as NotificationRecord),
    }));
}

function settle(sqlite: SqliteStore, { channelId, lease, deliveries, condition }: TurnResult): void {
  for (const { messageId, state, attempts, attemptedAt, result, dueAt = null } of deliveries) {
    sqlite.run(
      `UPDATE delivery SET state = ?, attempts = ?, attempted_at = ?, result = ?, due_at = ifnull(?, due_at)
        WHERE channel_id = ? AND message_id = ? AND (state = 'waiting' OR ? = 'delivered')`,
      ...[state, attempts, attemptedAt, result, dueAt, channelId, messageId, state],
    );
  }
  const leased = sqlite.get('SELECT 1 FROM channel WHERE id = ? AND lease = ?', channelId, lease);
  if (leased !== undefined) putCondition(sqlite, channelId, condition);
}

function putCondition(sqlite: SqliteStore, channelId: string, condition: ChannelCondition): boolean {
  const { state, failingSince, failures, problem, blockedUntil } = condition;
  if (state === 'off' || state === 'stopped') {
    sqlite.run(`UPDATE delivery SET state = 'expired' WHERE channel_id = ? AND state = 'waiting'`, channelId);
  }
  const changed = sqlite.run(
    `UPDATE channel SET state = ?, failing_since = ?, failures = ?, problem = ?, blocked_until = ?, lease = NULL,
      next_at = (SELECT max(min(due_at), ?) FROM delivery WHERE channel_id = id AND delivery.state = 'waiting')
      WHERE id = ?`,
    ...[state, failingSince, failures, problem, blockedUntil, blockedUntil, channelId],
  );
  return changed > 0;
}

function removeChannel(sqlite: SqliteStore, userKey: string, name: string): boolean {
  const channel = 'SELECT id FROM channel WHERE user_key = ? AND name = ?';
  sqlite.run(`DELETE FROM delivery WHERE channel_id IN (${channel})`, userKey, name);
  return sqlite.run('DELETE FROM channel WHERE user_key = ? AND name = ?', userKey, name) > 0;
}

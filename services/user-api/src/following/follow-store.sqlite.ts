import type { FollowRules, QuietHours } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { FollowStore, NotificationRecord, Occurrence, PendingOccurrence, Subscription } from './follow-store.ts';

const SUBSCRIPTION = 'user_key AS userKey, kind, target, id, rules, followed_at AS followedAt';
const NOTIFICATION = `id, user_key AS userKey, kind, target, rule, due_at AS dueAt, happened_at AS happenedAt,
  title, items, count`;
const ROWS_PER_REMOVAL = 5000;

/** Adds the deliveries of a notification to the transaction that writes it. */
type AddDeliveries = (sqlite: SqliteStore, notification: Pick<NotificationRecord, 'id' | 'userKey' | 'dueAt'>) => void;

export function sqliteFollowStore(sqlite: SqliteStore, addDeliveries: AddDeliveries): FollowStore {
  const isKnown = (userKey: string) => sqlite.get('SELECT 1 FROM user WHERE key = ?', userKey) !== undefined;
  return {
    subscriptionsOf: async (userKey) =>
      sqlite
        .all<SubscriptionRow>(
          `SELECT ${SUBSCRIPTION} FROM following WHERE user_key = ? ORDER BY followed_at DESC, kind, target`,
          userKey,
        )
        .map(subscriptionOf),
    putSubscription: async ({ userKey, kind, target, id, rules, followedAt }, limit) =>
      sqlite.transaction(() => {
        if (!isKnown(userKey)) return 'unknown';
        const others = sqlite.get<{ n: number }>(
          'SELECT count(*) AS n FROM following WHERE user_key = ? AND NOT (kind = ? AND target = ?)',
          ...[userKey, kind, target],
        );
        if ((others?.n ?? 0) >= limit) return 'full';
        sqlite.run(
          `INSERT INTO following (user_key, kind, target, id, rules, followed_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET id = excluded.id, rules = excluded.rules`,
          ...[userKey, kind, target, id, JSON.stringify(rules), followedAt],
        );
        return 'written';
      }),
    removeSubscription: async (userKey, kind, target) =>
      sqlite.run('DELETE FROM following WHERE user_key = ? AND kind = ? AND target = ?', userKey, kind, target) > 0,
    quietHours: async (userKeys) => {
      const rows = sqlite.all<{ userKey: string; quiet: string }>(
        'SELECT user_key AS userKey, quiet FROM quiet_hours WHERE user_key IN (SELECT value FROM json_each(?))',
        JSON.stringify(userKeys),
      );
      return new Map(rows.map(({ userKey, quiet }) => [userKey, JSON.parse(quiet) as QuietHours]));
    },
    putQuietHours: async (userKey, quietHours) =>
      sqlite.transaction(() => {
        if (!isKnown(userKey)) return false;
        if (quietHours === null) sqlite.run('DELETE FROM quiet_hours WHERE user_key = ?', userKey);
        else sqlite.run('INSERT OR REPLACE INTO quiet_hours VALUES (?, ?)', userKey, JSON.stringify(quietHours));
        return true;
      }),
    ...occurrences(sqlite),
    ...notifications(sqlite, addDeliveries),
  };
}

function occurrences(sqlite: SqliteStore) {
  const stateOf = (name: string) =>
    sqlite.get<{ version: number; value: string }>('SELECT version, value FROM trigger_state WHERE name = ?', name);
  return {
    followedTargets: async (kind, targets) => {
      const rows = sqlite.all<{ value: string }>(
        `SELECT value FROM json_each(?) WHERE EXISTS
          (SELECT 1 FROM following WHERE following.kind = ? AND following.target = json_each.value)`,
        ...[JSON.stringify(targets), kind],
      );
      return new Set(rows.map(({ value }) => value));
    },
    subscribers: async ({ kind, target, userKey }, after, limit) => {
      const one = userKey === null ? '' : 'AND user_key = ?';
      const rows = sqlite.all<SubscriptionRow>(
        `SELECT ${SUBSCRIPTION} FROM following WHERE kind = ? AND target = ? AND user_key > ? ${one}
          ORDER BY user_key LIMIT ?`,
        ...[kind, target, after, ...(userKey === null ? [] : [userKey]), limit],
      );
      return rows.map(subscriptionOf);
    },
    state: async (name) => ({ name, version: 0, value: '', ...stateOf(name) }),
    record: async (found, state) =>
      sqlite.transaction(() => {
        if (state !== undefined) {
          if ((stateOf(state.name)?.version ?? 0) !== state.version) return false;
          sqlite.run(
            'INSERT OR REPLACE INTO trigger_state (name, version, value) VALUES (?, ?, ?)',
            ...[state.name, state.version + 1, state.value],
          );
        }
        for (const { id, at, ...data } of found) {
          sqlite.run(
            'INSERT OR IGNORE INTO occurrence (id, at, data) VALUES (?, ?, ?)',
            ...[id, at, JSON.stringify(data)],
          );
        }
        return true;
      }),
    pendingOccurrences: async (limit) =>
      sqlite
        .all<OccurrenceRow>(
          'SELECT place, id, at, data, after FROM occurrence WHERE after IS NOT NULL ORDER BY place LIMIT ?',
          limit,
        )
        .map(({ data, ...row }): PendingOccurrence => ({
          ...row,
          ...(JSON.parse(data) as Omit<Occurrence, 'id' | 'at'>),
        })),
  } satisfies Partial<FollowStore>;
}

function notifications(sqlite: SqliteStore, addDeliveries: AddDeliveries) {
  return {
    latestNotifications: async ({ kind, target, rule }, userKeys, since) => {
      const rows = sqlite.all<NotificationRow>(
        `SELECT ${NOTIFICATION} FROM notification WHERE kind = ? AND target = ? AND rule = ?
          AND user_key IN (SELECT value FROM json_each(?)) AND due_at > ? ORDER BY due_at`,
        ...[kind, target, rule, JSON.stringify(userKeys), since],
      );
      return new Map(rows.map((row) => [row.userKey, notificationOf(row)]));
    },
    commitFanOut: async ({ occurrence, after, notifications: some }) =>
      sqlite.transaction(() => {
        const moved = sqlite.run(
          'UPDATE occurrence SET after = ? WHERE place = ? AND after = ?',
          ...[after ?? null, occurrence.place, occurrence.after],
        );
        if (moved === 0) return false;
        for (const { id, userKey, kind, target, rule, dueAt, happenedAt, title, items, count } of some) {
          // Nobody who was erased, or who unfollowed, since the batch was read.
          const written = sqlite.run(
            `INSERT INTO notification (id, user_key, kind, target, rule, due_at, happened_at, title, items, count)
              SELECT ?, user_key, kind, target, ?, ?, ?, ?, ?, ? FROM following
              WHERE user_key = ? AND kind = ? AND target = ?
              ON CONFLICT (id) DO UPDATE SET happened_at = excluded.happened_at, title = excluded.title,
                items = excluded.items, count = excluded.count`,
            ...[id, rule, dueAt, happenedAt, title, JSON.stringify(items), count, userKey, kind, target],
          );
          if (written > 0) addDeliveries(sqlite, { id, userKey, dueAt });
        }
        return true;
      }),
    notificationsOf: async (userKey, until, limit) =>
      sqlite
        .all<NotificationRow>(
          `SELECT ${NOTIFICATION} FROM notification WHERE user_key = ? AND due_at <= ? ORDER BY due_at DESC, id LIMIT ?`,
          ...[userKey, until, limit],
        )
        .map(notificationOf),
    removeNotificationsBefore: async (at) =>
      sqlite.transaction(
        () =>
          sqlite.run(
            'DELETE FROM notification WHERE id IN (SELECT id FROM notification WHERE due_at < ? LIMIT ?)',
            ...[at, ROWS_PER_REMOVAL],
          ) +
          sqlite.run(
            `DELETE FROM occurrence WHERE place IN
              (SELECT place FROM occurrence WHERE at < ? AND after IS NULL LIMIT ?)`,
            ...[at, ROWS_PER_REMOVAL],
          ),
      ),
  } satisfies Partial<FollowStore>;
}

export interface SubscriptionRow extends Omit<Subscription, 'rules'> {
  rules: string;
}

function subscriptionOf({ rules, ...row }: SubscriptionRow): Subscription {
  return { ...row, rules: JSON.parse(rules) as FollowRules };
}

interface OccurrenceRow extends Pick<PendingOccurrence, 'place' | 'id' | 'at' | 'after'> {
  data: string;
}

interface NotificationRow extends Omit<NotificationRecord, 'items'> {
  items: string;
}

function notificationOf({ items, ...row }: NotificationRow): NotificationRecord {
  return { ...row, items: JSON.parse(items) as string[] };
}

import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { dayRowId, unlockRowId } from '../users/collection-rows.mongo.ts';
import { indexedFields, stateFields } from '../users/user-rows.mongo.ts';
import { subscriptionRowId } from '../following/follow-store.mongo.ts';
import { CHANNEL_COLUMNS, DELIVERY_COLUMNS } from '../channels/channel-store.sqlite.ts';
import { deliveryRowId } from '../channels/channel-rows.mongo.ts';
import type { SubscriptionRow } from '../following/follow-store.sqlite.ts';
import { PROFILE_COLUMNS, profileOf, type ProfileRow } from '../profiles/profile-store.sqlite.ts';
import { USER_COLUMNS, userOf, type UserRow } from '../users/user-rows.sqlite.ts';

type ExportedDocument = readonly [collection: string, document: object];

export function* exportUsers(sqlite: SqliteStore): Generator<ExportedDocument> {
  const rows = <Row>(sql: string) => sqlite.prepare(sql).iterate() as IterableIterator<Row>;
  const stateRow = sqlite.get<{ revision: number; evaluation: string | null; withdrawals: string }>(
    'SELECT revision, evaluation, withdrawals FROM user_state',
  );
  const { revision = 0, evaluation = null, withdrawals = '[]' } = stateRow ?? {};
  const evaluationField = evaluation === null ? {} : { evaluation: JSON.parse(evaluation) as unknown };
  yield ['user_state', { _id: 'users', revision, ...evaluationField, withdrawals: JSON.parse(withdrawals) as unknown }];
  for (const row of rows<UserRow>(`SELECT ${USER_COLUMNS} FROM user ORDER BY user_no`)) {
    const user = userOf(row);
    const profileRow = sqlite.get<ProfileRow>(`SELECT ${PROFILE_COLUMNS} FROM profile WHERE user_key = ?`, user.key);
    const { userKey, ...profile } = profileRow === undefined ? { userKey: user.key } : profileOf(profileRow);
    const profileField = profileRow === undefined ? {} : { profile };
    yield ['user', { _id: userKey, ...indexedFields(user), ...stateFields(user), ...profileField }];
  }
  const numbers = 'SELECT discord_id AS _id, user_key AS userKey FROM profile WHERE discord_id IS NOT NULL';
  for (const row of rows<object>(numbers)) yield ['discord', { ...row }];
  for (const row of rows<DayRow & { titles: string }>('SELECT day, user_key AS key, titles FROM play_day')) {
    yield ['play_day', { _id: dayRowId(row.day, row.key), titles: row.titles }];
  }
  for (const row of rows<DayRow & { slots: Uint8Array }>('SELECT day, player_key AS key, slots FROM host_day')) {
    yield ['host_day', { _id: dayRowId(row.day, row.key), slots: row.slots }];
  }
  for (const row of rows<object>('SELECT key AS _id, standings, hosted FROM player')) yield ['player', { ...row }];
  yield* exportUnlocks(sqlite, rows);
  for (const row of rows<object>('SELECT hash AS _id FROM erased_user')) yield ['erased_user', { ...row }];
  yield* exportFollowing(rows);
}

interface DayRow {
  day: number;
  key: string;
}

function* exportUnlocks(
  sqlite: SqliteStore,
  rows: <Row>(sql: string) => IterableIterator<Row>,
): Generator<ExportedDocument> {
  const unlocks = `SELECT user_key AS userKey, achievement_id AS achievementId, unlocked_at AS unlockedAt, username FROM unlock`;
  for (const row of rows<{ userKey: string; achievementId: number }>(unlocks)) {
    yield ['unlock', { _id: unlockRowId(row.achievementId, row.userKey), ...row }];
  }
  for (const row of rows<object>('SELECT achievement_id AS _id, count FROM unlock_count')) {
    yield ['unlock_count', { ...row }];
  }
  const players = sqlite.get<{ count: number }>('SELECT ifnull(sum(count), 0) AS count FROM score_count')?.count ?? 0;
  if (players > 0) yield ['unlock_count', { _id: 'players', count: players }];
  for (const row of rows<object>('SELECT score AS _id, count FROM score_count')) yield ['score_count', { ...row }];
  for (const row of rows<{ definition: string }>('SELECT id AS _id, definition FROM definition')) {
    yield ['definition', { ...row, definition: JSON.parse(row.definition) as unknown }];
  }
}

function* exportFollowing(rows: <Row>(sql: string) => IterableIterator<Row>): Generator<ExportedDocument> {
  const followed = 'SELECT user_key AS userKey, kind, target, id, rules, followed_at AS followedAt FROM following';
  for (const row of rows<SubscriptionRow>(followed)) yield ['following', { _id: subscriptionRowId(row), ...row }];
  for (const { _id, quiet } of rows<{ _id: string; quiet: string }>('SELECT user_key AS _id, quiet FROM quiet_hours')) {
    yield ['quiet_hours', { _id, ...(JSON.parse(quiet) as object) }];
  }
  for (const row of rows<object>('SELECT name AS _id, version, value FROM trigger_state')) {
    yield ['trigger_state', { ...row }];
  }
  for (const { data, ...row } of rows<{ data: string }>('SELECT id AS _id, place, at, data, after FROM occurrence')) {
    yield ['occurrence', { ...row, ...(JSON.parse(data) as object) }];
  }
  const notified = `SELECT id AS _id, user_key AS userKey, kind, target, rule, due_at AS dueAt, happened_at AS happenedAt,
    title, items, count FROM notification`;
  for (const { items, ...row } of rows<{ items: string }>(notified)) {
    yield ['notification', { ...row, items: JSON.parse(items) as unknown }];
  }
  const channels = `SELECT ${CHANNEL_COLUMNS}, next_at AS nextAt, served_at AS servedAt, lease FROM channel`;
  for (const { id: _id, ...row } of rows<{ id: string }>(channels)) yield ['channel', { _id, ...row }];
  const deliveries = `SELECT channel_id AS channelId, user_key AS userKey, ${DELIVERY_COLUMNS} FROM delivery`;
  for (const row of rows<{ channelId: string; messageId: string }>(deliveries)) {
    yield ['delivery', { _id: deliveryRowId(row.channelId, row.messageId), ...row }];
  }
}

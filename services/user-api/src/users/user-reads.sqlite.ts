import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { Definition } from '../definitions/definitions.ts';
import type { PlayerRecord, UserRecord } from './user-record.ts';
import type { DayKey, Evaluation, OnlineUser, UserStore, WithdrawnSlots } from './user-store.ts';
import { nameKey } from '@lobbystats/contracts';
import { unpackDay, unpackStandings } from './packed-fields.ts';
import { keyLists, USER_COLUMNS, userOf, type KeyList, type UserRow } from './user-rows.sqlite.ts';

export function userReads(sqlite: SqliteStore) {
  const rowsOf = <Row>(sql: string, keys: Iterable<string>): Row[] =>
    keyLists(keys).flatMap((list) => sqlite.all<Row>(`${sql} ${list.sql}`, ...list.values));
  const daysOf = <Row>(sql: string, dayKeys: readonly DayKey[]): Row[] =>
    dayLists(dayKeys).flatMap(({ day, list }) => sqlite.all<Row>(`${sql} ${list.sql}`, day, ...list.values));
  const evaluation = () =>
    sqlite.get<{ evaluation: string | null }>('SELECT evaluation FROM user_state WHERE only = 1')?.evaluation ?? null;

  return {
    revision: async () =>
      sqlite.get<{ revision: number }>('SELECT revision FROM user_state WHERE only = 1')?.revision ?? 0,
    users: async (keys) => {
      const rows = rowsOf<UserRow>(`SELECT ${USER_COLUMNS} FROM user WHERE key IN`, keys);
      return new Map(rows.map((row) => [row.key, userOf(row)]));
    },
    keysWithContent: async (keys) => {
      const ofTable = (table: string) =>
        rowsOf<{ key: string }>(`SELECT user_key AS key FROM ${table} WHERE user_key IN`, keys);
      return new Set(['profile', 'following', 'quiet_hours', 'channel'].flatMap(ofTable).map(({ key }) => key));
    },
    count: async () => sqlite.get<{ users: number }>('SELECT count(*) AS users FROM user')?.users ?? 0,
    isKnown: async (userKey) => sqlite.get('SELECT 1 FROM user WHERE key = ?', userKey) !== undefined,
    usersByGamertag: async (playerKeys) => {
      const named = playerKeys.filter((key) => key !== '');
      const rows = rowsOf<UserRow>(`SELECT ${USER_COLUMNS} FROM user WHERE player_key IN`, named);
      const users = new Map<string, UserRecord[]>();
      for (const user of rows.map(userOf)) {
        const key = nameKey(user.gamertag);
        users.set(key, [...(users.get(key) ?? []), user]);
      }
      return users;
    },
    players: async (keys) => {
      const rows = rowsOf<PlayerRow>('SELECT key, standings, hosted FROM player WHERE key IN', keys);
      return new Map(rows.map((row) => [row.key, playerOf(row)]));
    },
    playDays: async (dayKeys) =>
      daysOf<PlayDayRow>(
        'SELECT day, user_key AS userKey, titles FROM play_day WHERE day = ? AND user_key IN',
        dayKeys,
      ).map(({ userKey, day, titles }) => ({ userKey, day, titles: unpackDay(titles) })),
    hostDays: async (dayKeys) =>
      daysOf<HostDayRow>(
        'SELECT day, player_key AS playerKey, slots FROM host_day WHERE day = ? AND player_key IN',
        dayKeys,
      ).map(({ playerKey, day, slots }) => ({ playerKey, day, slots })),
    findErased: async (hashes) => {
      const rows = rowsOf<{ hash: string }>('SELECT hash FROM erased_user WHERE hash IN', hashes);
      return new Set(rows.map(({ hash }) => hash));
    },
    erasedHashes: async () =>
      sqlite.all<{ hash: string }>('SELECT hash FROM erased_user ORDER BY hash').map(({ hash }) => hash),
    onlineUsers: async ({ since, titleId, limit, offset }) => {
      const values = [since, ...(titleId === undefined ? [] : [titleId])];
      const found = `${ONLINE}${titleId === undefined ? '' : ' AND title_id = ?'}`;
      const users = sqlite.all<OnlineUser>(
        `SELECT username, seen_at AS at, title_id AS titleId, game ${found} ORDER BY key LIMIT ? OFFSET ?`,
        ...[...values, limit, offset],
      );
      const counted = sqlite.get<{ users: number }>(`SELECT count(*) AS users ${found}`, ...values);
      return { users: users.map((user) => ({ ...user })), total: counted?.users ?? 0 };
    },
    usersAfter: async (after, limit) =>
      sqlite
        .all<UserRow>(`SELECT ${USER_COLUMNS} FROM user WHERE key > ? ORDER BY key LIMIT ?`, after ?? '', limit)
        .map(userOf),
    playersAfter: async (after, limit) =>
      // No key is empty.
      sqlite
        .all<PlayerRow>(
          'SELECT key, standings, hosted FROM player WHERE key > ? ORDER BY key LIMIT ?',
          after ?? '',
          limit,
        )
        .map(playerOf),
    evaluation: async () => {
      const stored = evaluation();
      if (stored === null) return undefined;
      const { digest, after, done } = JSON.parse(stored) as Evaluation;
      return { digest, after, done };
    },
    withdrawals: async () => {
      const sql = 'SELECT withdrawals FROM user_state WHERE only = 1';
      return JSON.parse(sqlite.get<{ withdrawals: string }>(sql)?.withdrawals ?? '[]') as WithdrawnSlots[];
    },
    definitions: async () =>
      sqlite
        .all<{ definition: string }>('SELECT definition FROM definition ORDER BY id')
        .map(({ definition }) => JSON.parse(definition) as Definition),
  } satisfies Partial<UserStore>;
}

/** No key is empty: the index is searched in its order. */
const ONLINE = `FROM user INDEXED BY user_online WHERE is_online = 1 AND key > '' AND seen_at >= ?`;

interface PlayerRow {
  key: string;
  standings: string;
  hosted: number;
}

function playerOf({ key, standings, hosted }: PlayerRow): PlayerRecord {
  return { key, standings: unpackStandings(standings), hosted };
}

interface PlayDayRow {
  userKey: string;
  day: number;
  titles: string;
}

interface HostDayRow {
  playerKey: string;
  day: number;
  slots: Uint8Array;
}

function dayLists(dayKeys: readonly DayKey[]): { day: number; list: KeyList }[] {
  const keys = new Map<number, string[]>();
  for (const { key, day } of dayKeys) {
    const ofDay = keys.get(day);
    if (ofDay === undefined) keys.set(day, [key]);
    else ofDay.push(key);
  }
  return Array.from(keys, ([day, ofDay]) => keyLists(ofDay).map((list) => ({ day, list }))).flat();
}

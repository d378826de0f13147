import { nameKey } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import {
  isCounted,
  type Beaten,
  type BoardStore,
  type ChangeFilter,
  type StoredChange,
} from '../leaderboards/board-store.ts';
import { boardValues, OF_BOARD, titleIdOf, titleKey } from '../leaderboards/board-reads.sqlite.ts';

export const CHANGE_COLUMNS = `id, type, title_id AS titleKey, leaderboard_id AS leaderboardId, player_name AS playerName,
  is_time AS isTime, old_rank AS oldRank, new_rank AS newRank, old_rating AS oldRating, new_rating AS newRating,
  old_time_ms AS oldTimeMs, new_time_ms AS newTimeMs, changed_at AS changedAt, beaten`;

export function changeReads(sqlite: SqliteStore) {
  /** Ids grow with time: the last id at an instant. */
  const lastIdUntil = (instant: number): number =>
    sqlite.get<{ id: number }>(
      'SELECT id FROM change WHERE changed_at <= ? ORDER BY changed_at DESC, id DESC LIMIT 1',
      instant,
    )?.id ?? 0;
  const idsAbove = ({ since }: ChangeFilter, after = 0): number =>
    since === undefined ? after : Math.max(after, lastIdUntil(since));

  return {
    changes: async (filter, { before = Number.MAX_SAFE_INTEGER, after, offset, limit }) => {
      const { from, sql, values } = conditions(filter);
      const order = after === undefined ? 'DESC' : 'ASC';
      return sqlite
        .all<ChangeRow>(
          `SELECT ${CHANGE_COLUMNS} ${from} WHERE ${sql} id > ? AND id < ? ORDER BY id ${order} LIMIT ? OFFSET ?`,
          ...values,
          idsAbove(filter, after),
          before,
          limit,
          offset,
        )
        .map(changeOf);
    },
    countChanges: async (filter, after) => {
      const above = idsAbove(filter, after);
      if (above === 0 && isCounted(filter)) return countByCounters(sqlite, filter);
      const { from, sql, values } = conditions(filter);
      const count = sqlite.get<{ n: number }>(`SELECT count(*) AS n ${from} WHERE ${sql} id > ?`, ...values, above);
      return count?.n ?? 0;
    },
    changesById: async (ids) =>
      sqlite
        .all<ChangeRow>(
          `SELECT ${CHANGE_COLUMNS} FROM change WHERE id IN (SELECT value FROM json_each(?))`,
          JSON.stringify(ids),
        )
        .map(changeOf),
    changesOnBoard: async (key, playerKeys) =>
      sqlite
        .all<ChangeRow>(
          `SELECT ${CHANGE_COLUMNS} FROM change INDEXED BY change_by_player_and_board
            WHERE player_key IN (SELECT value FROM json_each(?)) AND ${OF_BOARD} ORDER BY id DESC`,
          JSON.stringify(playerKeys),
          ...boardValues(key),
        )
        .map(changeOf),
    changedTitles: async () =>
      sqlite
        .all<{ titleKey: number }>('SELECT DISTINCT title_id AS titleKey FROM change_count WHERE title_id >= 0')
        .map((row) => titleIdOf(row.titleKey)),
  } satisfies Partial<BoardStore>;
}

function countByCounters(sqlite: SqliteStore, { titleId, type }: ChangeFilter): number {
  const sum = sqlite.get<{ n: number }>(
    `SELECT ifnull(sum(count), 0) AS n FROM change_count WHERE title_id = ?${type === undefined ? '' : ' AND type = ?'}`,
    titleId === undefined ? ALL_TITLES : titleKey(titleId),
    ...(type === undefined ? [] : [type]),
  );
  return sum?.n ?? 0;
}

interface Conditions {
  from: string;
  sql: string;
  values: (string | number)[];
}

function conditions(filter: ChangeFilter): Conditions {
  const { titleId, leaderboardIds, playerKey, type, first } = filter;
  const parts = Object.entries({
    title_id: titleId === undefined ? undefined : titleKey(titleId),
    player_key: playerKey,
    type,
  }).filter((part): part is [string, string | number] => part[1] !== undefined);
  return {
    from: `FROM change ${indexFor(filter)}`,
    // A partial index is used only where its condition stands literally.
    sql: [
      ...parts.map(([column]) => `${column} = ? AND `),
      ...(leaderboardIds === undefined ? [] : ['leaderboard_id IN (SELECT value FROM json_each(?)) AND ']),
      ...(first === undefined ? [] : ['new_rank = 1 AND ']),
      ...(first === 'records' ? ['beaten IS NOT NULL AND '] : []),
    ].join(''),
    values: [
      ...parts.map(([, value]) => value),
      ...(leaderboardIds === undefined ? [] : [JSON.stringify(leaderboardIds)]),
    ],
  };
}

function indexFor({ titleId, playerKey, type, first }: ChangeFilter): string {
  if (playerKey !== undefined) return 'INDEXED BY change_by_player';
  // There are few records: those of another type are passed over.
  if (first !== undefined) return `INDEXED BY ${titleId === undefined ? 'change_record' : 'change_record_by_title'}`;
  if (titleId !== undefined) return `INDEXED BY ${type === undefined ? 'change_by_title' : 'change_by_title_and_type'}`;
  return type === undefined ? 'NOT INDEXED' : 'INDEXED BY change_by_type';
}

export interface ChangeRow extends Omit<StoredChange, 'titleId' | 'isTime' | 'beaten'> {
  titleKey: number;
  isTime: number;
  /** JSON. */
  beaten: string | null;
}

export function changeOf({ titleKey: key, isTime, beaten: json, ...row }: ChangeRow): StoredChange {
  const beaten = json === null ? null : (JSON.parse(json) as Beaten);
  return { ...row, titleId: titleIdOf(key), isTime: isTime === 1, beaten };
}

export const ALL_TITLES = -1;

const ADD_CHANGE = 'INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const ADD_COUNT = `INSERT INTO change_count (title_id, type, count) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count`;

export function addChanges(sqlite: SqliteStore, changes: readonly StoredChange[]): void {
  const counts = new Map<string, { title: number; type: string; count: number }>();
  const count = (title: number, type: string) => {
    const counted = counts.get(`${title} ${type}`);
    if (counted === undefined) counts.set(`${title} ${type}`, { title, type, count: 1 });
    else counted.count += 1;
  };
  for (const change of changes) {
    const { id, type, titleId, leaderboardId, playerName, isTime, oldRank, newRank } = change;
    const { oldRating, newRating, oldTimeMs, newTimeMs, changedAt, beaten } = change;
    const title = titleKey(titleId);
    const what = [id, type, title, leaderboardId, playerName, Number(isTime)] as const;
    const values = [oldRank, newRank, oldRating, newRating, oldTimeMs, newTimeMs] as const;
    const json = beaten === null ? null : JSON.stringify(beaten);
    sqlite.run(ADD_CHANGE, ...what, ...values, changedAt, nameKey(playerName), json);
    count(title, type);
    count(ALL_TITLES, type);
  }
  for (const counted of counts.values()) sqlite.run(ADD_COUNT, counted.title, counted.type, counted.count);
}

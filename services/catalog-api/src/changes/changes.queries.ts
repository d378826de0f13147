import { changeTypes, nameKey, type ChangeType, type EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { Filter } from 'mongodb';
import { boardValues, OF_BOARD, titleIdOf, titleKey } from '../boards/board-rows.ts';
import type { BoardKey } from '../boards/board.ts';
import type { MongoCatalog } from '../database/open.mongo.ts';
import {
  ALL_TITLES,
  ALL_TITLES_KEY,
  CHANGE_COLUMNS,
  changeOfDocument,
  changeOfRow,
  countId,
  type ChangeDocument,
  type ChangeRow,
  type CountDocument,
} from './change-rows.ts';
import type { StoredChange } from './stored-change.ts';

/** They throw AppError `unavailable`. */
export type ChangeQueries = ReturnType<typeof changesInSqlite>;

export interface ChangeFilter {
  readonly titleId?: string | undefined;
  readonly playerKey?: string | undefined;
  /** Those of these leaderboards alone. Needs a title. */
  readonly leaderboardIds?: readonly number[] | undefined;
  readonly type?: ChangeType | undefined;
  /** `all` selects the changes with new rank 1, `records` the records among them. */
  readonly first?: 'all' | 'records' | undefined;
  /** Exclusive. */
  readonly since?: EpochSeconds | undefined;
}

interface ChangePage {
  readonly before?: number;
  readonly after?: number;
  readonly offset: number;
  readonly limit: number;
}

/** Returns whether the counters by title and type hold the number of changes that a filter selects. They ignore `since`. */
function isCounted({ playerKey, leaderboardIds, first }: ChangeFilter): boolean {
  return playerKey === undefined && leaderboardIds === undefined && first === undefined;
}

export function changesInSqlite(sqlite: SqliteStore) {
  /** Ids grow with time: the last id at an instant. */
  const lastIdUntil = (instant: number): number =>
    sqlite.get<{ id: number }>(
      'SELECT id FROM change WHERE changed_at <= ? ORDER BY changed_at DESC, id DESC LIMIT 1',
      instant,
    )?.id ?? 0;
  const idsAbove = ({ since }: ChangeFilter, after = 0): number =>
    since === undefined ? after : Math.max(after, lastIdUntil(since));

  return {
    changes: async (filter: ChangeFilter, page: ChangePage) => {
      const { before = Number.MAX_SAFE_INTEGER, after, offset, limit } = page;
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
        .map(changeOfRow);
    },
    /** Cheap without `playerKey`, `leaderboardIds`, `first`, `since` and `after`. */
    countChanges: async (filter: ChangeFilter, after?: number) => {
      const above = idsAbove(filter, after);
      if (above === 0 && isCounted(filter)) return countByCounters(sqlite, filter);
      const { from, sql, values } = conditions(filter);
      const count = sqlite.get<{ n: number }>(`SELECT count(*) AS n ${from} WHERE ${sql} id > ?`, ...values, above);
      return count?.n ?? 0;
    },
    changesById: async (ids: readonly number[]) =>
      sqlite
        .all<ChangeRow>(
          `SELECT ${CHANGE_COLUMNS} FROM change WHERE id IN (SELECT value FROM json_each(?))`,
          JSON.stringify(ids),
        )
        .map(changeOfRow),
    /** Changes of these players on a leaderboard, newest first. */
    changesOnBoard: async (key: BoardKey, playerKeys: readonly string[]) =>
      sqlite
        .all<ChangeRow>(
          `SELECT ${CHANGE_COLUMNS} FROM change INDEXED BY change_by_player_and_board
            WHERE player_key IN (SELECT value FROM json_each(?)) AND ${OF_BOARD} ORDER BY id DESC`,
          JSON.stringify(playerKeys),
          ...boardValues(key),
        )
        .map(changeOfRow),
    changedTitles: async () =>
      sqlite
        .all<{ titleKey: number }>('SELECT DISTINCT title_id AS titleKey FROM change_count WHERE title_id >= 0')
        .map((row) => titleIdOf(row.titleKey)),
  };
}

function countByCounters(sqlite: SqliteStore, { titleId, type }: ChangeFilter): number {
  const sum = sqlite.get<{ n: number }>(
    `SELECT ifnull(sum(count), 0) AS n FROM change_count WHERE title_id = ?${type === undefined ? '' : ' AND type = ?'}`,
    titleId === undefined ? ALL_TITLES_KEY : titleKey(titleId),
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
    from: `FROM change ${sqliteIndex(filter)}`,
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

function sqliteIndex({ titleId, playerKey, type, first }: ChangeFilter): string {
  if (playerKey !== undefined) return 'INDEXED BY change_by_player';
  // There are few records: those of another type are passed over.
  if (first !== undefined) return `INDEXED BY ${titleId === undefined ? 'change_record' : 'change_record_by_title'}`;
  if (titleId !== undefined) return `INDEXED BY ${type === undefined ? 'change_by_title' : 'change_by_title_and_type'}`;
  return type === undefined ? 'NOT INDEXED' : 'INDEXED BY change_by_type';
}

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
    count(ALL_TITLES_KEY, type);
  }
  for (const counted of counts.values()) sqlite.run(ADD_COUNT, counted.title, counted.type, counted.count);
}

export function changesInMongo({ store }: Pick<MongoCatalog, 'store'>) {
  const changes = store.collection<ChangeDocument>('change');
  const counts = store.collection<CountDocument>('change_count');

  /** Ids grow with time: the last id at an instant. */
  const lastIdUntil = async (instant: number): Promise<number> => {
    const sort = { changedAt: -1, _id: -1 } as const;
    const options = { sort, projection: { _id: 1 }, hint: 'by_time' };
    return (await store.run(() => changes.findOne({ changedAt: { $lte: instant } }, options)))?._id ?? 0;
  };
  const idsAbove = async ({ since }: ChangeFilter, after = 0): Promise<number> =>
    since === undefined ? after : Math.max(after, await lastIdUntil(since));
  const counted = async ({ titleId = ALL_TITLES, type }: ChangeFilter): Promise<number> => {
    const ids = (type === undefined ? changeTypes : [type]).map((each) => countId(titleId, each));
    const found = await store.run(() => counts.find({ _id: { $in: ids } }).toArray());
    return found.reduce((sum, { count }) => sum + count, 0);
  };

  return {
    changes: async (filter, { before = Number.MAX_SAFE_INTEGER, after, offset, limit }) => {
      const query = { ...matching(filter), _id: { $gt: await idsAbove(filter, after), $lt: before } };
      const order = after === undefined ? -1 : 1;
      const found = await store.run(() =>
        changes
          .find(query, { hint: mongoIndex(filter) })
          .sort({ _id: order })
          .skip(offset)
          .limit(limit)
          .toArray(),
      );
      return found.map(changeOfDocument);
    },
    countChanges: async (filter, after) => {
      const above = await idsAbove(filter, after);
      if (above === 0 && isCounted(filter)) return counted(filter);
      const query = { ...matching(filter), _id: { $gt: above } };
      return store.run(() => changes.countDocuments(query, { hint: mongoIndex(filter) }));
    },
    changesById: async (ids) =>
      (await store.run(() => changes.find({ _id: { $in: ids } }).toArray())).map(changeOfDocument),
    changesOnBoard: async ({ titleId, leaderboardId }, playerKeys) => {
      const query = {
        playerKey: { $in: playerKeys },
        titleId: { $eq: titleId },
        leaderboardId: { $eq: leaderboardId },
      };
      const found = changes.find(query, { hint: 'by_player_and_board' }).sort({ _id: -1 });
      return (await store.run(() => found.toArray())).map(changeOfDocument);
    },
    changedTitles: async () => store.run(() => changes.distinct('titleId')),
  } satisfies ChangeQueries;
}

function matching({ titleId, leaderboardIds, playerKey, type, first }: ChangeFilter): Filter<ChangeDocument> {
  return {
    ...(titleId !== undefined && { titleId: { $eq: titleId } }),
    ...(leaderboardIds !== undefined && { leaderboardId: { $in: leaderboardIds } }),
    ...(playerKey !== undefined && { playerKey: { $eq: playerKey } }),
    ...(type !== undefined && { type: { $eq: type } }),
    ...(first !== undefined && { newRank: { $eq: 1 } }),
    ...(first === 'records' && { beaten: { $ne: null } }),
  };
}

function mongoIndex({ titleId, playerKey, type, first }: ChangeFilter): string {
  if (playerKey !== undefined) return 'by_player';
  // There are few records: those of another type are passed over.
  if (first !== undefined) return titleId === undefined ? 'by_new_rank' : 'by_title_and_new_rank';
  if (titleId !== undefined) return type === undefined ? 'by_title' : 'by_title_and_type';
  return type === undefined ? '_id_' : 'by_type';
}

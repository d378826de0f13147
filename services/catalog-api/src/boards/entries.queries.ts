import { setImmediate } from 'node:timers/promises';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { Filter } from 'mongodb';
import type { MongoCatalog } from '../database/open.mongo.ts';
import { titleIdOf, titleKey, type EntryDocument, type StateDocument } from './board-rows.ts';
import { boardId, type BoardKey } from './board.ts';

/** They throw AppError `unavailable`. */
export type EntryQueries = ReturnType<typeof entriesInSqlite>;

export interface FoundEntry extends BoardKey {
  readonly leaderboardName: string;
  readonly isTime: boolean;
  readonly playerName: string;
  readonly rank: number;
  readonly rating: string;
  readonly timeMs: number;
}

export interface PlayersQuery {
  /** Of players. */
  readonly keys: readonly string[];
  /** Undefined: in all titles. */
  readonly titleId?: string | undefined;
}

export function entriesInSqlite(sqlite: SqliteStore) {
  return {
    /** Entries of players, by title and board. */
    ofPlayers: async ({ limit = Infinity, ...query }: PlayersQuery & { limit?: number }) => {
      const found: FoundRow[] = [];
      for await (const rows of playerBatches(sqlite, query)) {
        found.push(...rows);
        if (found.length >= limit) break;
      }
      return found.slice(0, limit).map(foundEntry);
    },
  };
}

export interface FoundRow extends Omit<FoundEntry, 'titleId' | 'isTime'> {
  titleKey: number;
  isTime: number;
  place: number;
}

export const FOUND_COLUMNS = `entry.title_id AS titleKey, entry.leaderboard_id AS leaderboardId,
  board.name AS leaderboardName, board.is_time AS isTime, entry.name AS playerName, rank, rating,
  ifnull(time_ms, 0) AS timeMs, place`;

export function byBoardRow(a: FoundRow, b: FoundRow): number {
  return a.titleKey - b.titleKey || a.leaderboardId - b.leaderboardId || a.rank - b.rank || a.place - b.place;
}

export function foundEntry(row: FoundRow): FoundEntry {
  return {
    titleId: titleIdOf(row.titleKey),
    leaderboardId: row.leaderboardId,
    leaderboardName: row.leaderboardName,
    isTime: row.isTime === 1,
    playerName: row.playerName,
    rank: row.rank,
    rating: row.rating,
    timeMs: row.timeMs,
  };
}

const INITIAL_BATCH_ROWS = 125;
/** SQLite blocks this process for some milliseconds meanwhile. */
const MAX_BATCH_ROWS = 1000;
const MAX_ID = 0xffffffff;

type Bound = readonly [title: number, board: number];

/** Reads the players' boards in batches, with a pause between batches. `among`: a further condition on the table `entry`. */
export async function* playerBatches(
  sqlite: SqliteStore,
  { keys, titleId }: PlayersQuery,
  among = 'TRUE',
): AsyncGenerator<FoundRow[]> {
  const part = `SELECT ${FOUND_COLUMNS} FROM entry CROSS JOIN board USING (title_id, leaderboard_id)
    WHERE player_key IN (${keys.map(() => '?').join(', ')}) AND ${among}
      AND (entry.title_id, entry.leaderboard_id) > (?, ?) AND (entry.title_id, entry.leaderboard_id) <= (?, ?)`;
  const last: Bound = [titleId === undefined ? MAX_ID : titleKey(titleId), MAX_ID];
  let from: Bound = [titleId === undefined ? 0 : titleKey(titleId), -1];
  for (let size = INITIAL_BATCH_ROWS; ; size = Math.min(2 * size, MAX_BATCH_ROWS)) {
    const to = boardAfter(sqlite, keys, [from, last], Math.ceil(size / keys.length));
    const rows = sqlite.all<FoundRow>(part, ...keys, ...from, ...(to ?? last));
    yield rows.sort(byBoardRow);
    if (to === undefined) return;
    from = to;
    await setImmediate();
  }
}

/** The first board up to which a player has this many entries. Undefined: all have fewer. */
function boardAfter(
  sqlite: SqliteStore,
  keys: readonly string[],
  [from, last]: readonly [Bound, Bound],
  count: number,
): Bound | undefined {
  const ofPlayer = `SELECT title_id AS title, leaderboard_id AS number FROM entry INDEXED BY entry_by_player
    WHERE player_key = ? AND (title_id, leaderboard_id) > (?, ?) AND (title_id, leaderboard_id) <= (?, ?)
    ORDER BY title_id, leaderboard_id LIMIT 1 OFFSET ?`;
  return keys
    .flatMap((key) => sqlite.get<{ title: number; number: number }>(ofPlayer, key, ...from, ...last, count - 1) ?? [])
    .map(({ title, number }): Bound => [title, number])
    .sort(([a, one], [b, other]) => a - b || one - other)[0];
}

export function entriesInMongo({ store }: Pick<MongoCatalog, 'store'>) {
  return {
    ofPlayers: async ({ limit, ...query }) => {
      const rows = await firstWithTies(store, playerScan(query), limit);
      return foundEntries(store, rows.sort(byBoard).slice(0, limit));
    },
  } satisfies EntryQueries;
}

export interface IndexScan {
  readonly index: string;
  readonly filter: Filter<EntryDocument>;
  readonly order: readonly ('titleId' | 'leaderboardId' | 'timeMs')[];
}

/** Returns ties whole, also beyond the limit: rank and position are not indexed, so the caller sorts. */
export async function firstWithTies(
  store: MongoStore,
  { index, filter, order }: IndexScan,
  limit: number | undefined,
): Promise<EntryDocument[]> {
  const entries = store.collection<EntryDocument>('entry');
  const sort = Object.fromEntries(order.map((field) => [field, 1] as const));
  const count = limit === undefined ? 0 : limit + 1;
  const rows = await store.run(() => entries.find(filter, { hint: index }).sort(sort).limit(count).toArray());
  const [last, next] = [rows[count - 2], rows[count - 1]];
  if (last === undefined || next === undefined) return rows;
  const isEqual = (row: EntryDocument) => order.every((field) => row[field] === last[field]);
  if (!isEqual(next)) return rows.slice(0, -1);
  const equal = Object.fromEntries(order.map((field) => [field, last[field]]));
  const ofLast = await store.run(() => entries.find({ $and: [filter, equal] }, { hint: index }).toArray());
  return [...rows.filter((row) => !isEqual(row)), ...ofLast];
}

export async function foundEntries(store: MongoStore, rows: readonly EntryDocument[]): Promise<FoundEntry[]> {
  const ids = [...new Set(rows.map(boardId))];
  if (ids.length === 0) return [];
  const boards = await store.run(() =>
    store
      .collection<StateDocument>('board')
      .find({ _id: { $in: ids } }, { projection: { name: 1 } })
      .toArray(),
  );
  const names = new Map(boards.map(({ _id, name }) => [_id, name]));
  return rows.map((row) => {
    const { titleId, leaderboardId, name: playerName, rank, rating, timeMs } = row;
    const leaderboardName = names.get(boardId(row)) ?? '';
    const board = { titleId, leaderboardId, leaderboardName, isTime: timeMs !== null };
    return { ...board, playerName, rank, rating, timeMs: timeMs ?? 0 };
  });
}

export function byBoard(a: EntryDocument, b: EntryDocument): number {
  if (a.titleId !== b.titleId) return a.titleId < b.titleId ? -1 : 1;
  return a.leaderboardId - b.leaderboardId || a.rank - b.rank || a.place - b.place;
}

export function playerScan({ keys, titleId }: PlayersQuery): IndexScan {
  const ofKeys = { playerKey: { $in: [...keys] } };
  return titleId === undefined
    ? { index: 'by_player', filter: ofKeys, order: ['titleId', 'leaderboardId'] }
    : { index: 'by_player', filter: { ...ofKeys, titleId: { $eq: titleId } }, order: ['leaderboardId'] };
}

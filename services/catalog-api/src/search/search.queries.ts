import { setImmediate } from 'node:timers/promises';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { titleKey, type EntryDocument } from '../boards/board-rows.ts';
import { boardId } from '../boards/board.ts';
import {
  byBoard,
  byBoardRow,
  firstWithTies,
  FOUND_COLUMNS,
  foundEntries,
  foundEntry,
  playerBatches,
  playerScan,
  type FoundEntry,
  type FoundRow,
  type IndexScan,
  type PlayersQuery,
} from '../boards/entries.queries.ts';
import type { MongoCatalog } from '../database/open.mongo.ts';

/** They throw AppError `unavailable`. */
export type SearchQueries = ReturnType<typeof searchInSqlite>;

interface InTitle {
  /** Undefined: in all titles. */
  readonly titleId?: string | undefined;
}

interface NearTime {
  readonly timeMs: number;
  readonly tolerance: number;
}

interface NearTimeQuery extends NearTime, InTitle {
  /** The least distance. Default: 0. */
  readonly from?: number;
  readonly limit: number;
}

interface RanksQuery extends InTitle {
  readonly pairs: readonly { key: string; rank: number }[];
}

export function searchInSqlite(sqlite: SqliteStore) {
  return {
    /** Nearest first, then by titleId, board, rank. */
    nearTime: async (query: NearTimeQuery) => nearTimeInSqlite(sqlite, query),
    countNearTime: async ({ timeMs, tolerance, titleIds }: NearTime & { titleIds: readonly string[] }) => {
      const sql = `SELECT count(*) AS n FROM entry INDEXED BY entry_by_title_and_time
        WHERE title_id = ? AND time_ms IS NOT NULL AND time_ms >= ? AND time_ms <= ?`;
      const range = [timeMs - tolerance, timeMs + tolerance] as const;
      return titleIds.reduce((sum, id) => sum + (sqlite.get<{ n: number }>(sql, titleKey(id), ...range)?.n ?? 0), 0);
    },
    /** Their times, board by board. */
    async *timesOfPlayers(query: PlayersQuery): AsyncGenerator<FoundEntry[]> {
      for await (const rows of playerBatches(sqlite, query, 'time_ms IS NOT NULL')) yield rows.map(foundEntry);
    },
    atRanks: async ({ pairs, titleId }: RanksQuery) => {
      const ranksOf = Map.groupBy(pairs, ({ key }) => key);
      const found: FoundRow[] = [];
      for (const [key, ofKey] of ranksOf) {
        const ranks = [...new Set(ofKey.map(({ rank }) => rank))];
        found.push(...entriesAtRanks(sqlite, { key, ranks, titleId }));
        await setImmediate();
      }
      return found.sort(byBoardRow).map(foundEntry);
    },
  };
}

/** Forces the index of players: ranks are not indexed, and SQLite would scan all entries of a title. */
function entriesAtRanks(
  sqlite: SqliteStore,
  { key, ranks, titleId }: { key: string; ranks: readonly number[]; titleId: string | undefined },
): FoundRow[] {
  const inTitle = titleId === undefined ? [] : [titleKey(titleId)];
  return sqlite.all<FoundRow>(
    `SELECT ${FOUND_COLUMNS} FROM entry INDEXED BY entry_by_player CROSS JOIN board USING (title_id, leaderboard_id)
      WHERE player_key = ?${inTitle.length > 0 ? ' AND entry.title_id = ?' : ''} AND rank IN (${ranks.map(() => '?').join(', ')})`,
    key,
    ...inTitle,
    ...ranks,
  );
}

/** Scans the index outward on both sides up to the limit. */
function nearTimeInSqlite(
  sqlite: SqliteStore,
  { timeMs, tolerance, from = 0, titleId, limit }: NearTimeQuery,
): FoundEntry[] {
  const ofTitle = titleId === undefined ? [] : [titleKey(titleId)];
  const between = `FROM entry
    WHERE ${titleId === undefined ? '' : 'title_id = ? AND'} time_ms IS NOT NULL AND time_ms >= ? AND time_ms <= ?`;
  const found = `SELECT title_id, leaderboard_id, entry_no ${between}`;
  const inOrder = `ORDER BY time_ms, ${titleId === undefined ? 'title_id,' : ''} leaderboard_id, rank, place LIMIT ?`;

  const below = timeMs - Math.max(1, from);
  const farthest = sqlite.get<{ distance: number }>(
    `SELECT * FROM (SELECT time_ms - ? AS distance ${between} ORDER BY time_ms LIMIT ?)
      UNION ALL SELECT * FROM (SELECT ? - time_ms AS distance ${between} ORDER BY time_ms DESC LIMIT ?)
      ORDER BY distance LIMIT 1 OFFSET ?`,
    ...[timeMs, ...ofTitle, timeMs + from, timeMs + tolerance, limit],
    ...[timeMs, ...ofTitle, timeMs - tolerance, below, limit],
    limit - 1,
  )?.distance;
  const reach = farthest === undefined ? tolerance : farthest - 1;
  const nearer = [[timeMs + from, timeMs + reach] as const, [timeMs - reach, below] as const].flatMap((range) =>
    sqlite.all<FoundRow>(selectRows(found), ...ofTitle, ...range),
  );
  const distance = (row: FoundRow) => Math.abs(row.timeMs - timeMs);
  nearer.sort((a, b) => distance(a) - distance(b) || byBoardRow(a, b));
  if (farthest === undefined) return nearer.map(foundEntry);

  const edges = farthest === 0 ? [timeMs] : [timeMs - farthest, timeMs + farthest];
  const onEdge = edges.flatMap((time) =>
    sqlite.all<FoundRow>(selectRows(`${found} ${inOrder}`), ...ofTitle, time, time, limit - nearer.length),
  );
  return [...nearer, ...onEdge.sort(byBoardRow)].slice(0, limit).map(foundEntry);
}

function selectRows(found: string): string {
  return `
    SELECT ${FOUND_COLUMNS} FROM (${found}) AS found
      CROSS JOIN entry USING (title_id, leaderboard_id, entry_no)
      CROSS JOIN board USING (title_id, leaderboard_id)`;
}

const BATCH_ROWS = 1000;

export function searchInMongo({ store }: Pick<MongoCatalog, 'store'>) {
  const entries = store.collection<EntryDocument>('entry');
  return {
    nearTime: async (query) => nearTimeInMongo(store, query),
    countNearTime: async ({ timeMs, tolerance, titleIds }) => {
      const between = {
        titleId: { $in: [...titleIds] },
        timeMs: { $gte: timeMs - tolerance, $lte: timeMs + tolerance },
      };
      return store.run(() => entries.countDocuments(between, { hint: 'by_title_and_time' }));
    },
    async *timesOfPlayers(query) {
      const { index, filter, order } = playerScan(query);
      const sort = Object.fromEntries(order.map((field) => [field, 1] as const));
      const times = { ...filter, timeMs: { $gte: 0 } };
      const cursor = entries.find(times, { hint: index, batchSize: BATCH_ROWS }).sort(sort);
      try {
        let rest: EntryDocument[] = [];
        while (await store.run(() => cursor.hasNext())) {
          const rows = [...rest, ...cursor.readBufferedDocuments()];
          const last = rows.map(boardId).at(-1);
          const whole = rows.findLastIndex((row) => boardId(row) !== last) + 1;
          yield await foundEntries(store, rows.slice(0, whole).sort(byBoard));
          rest = rows.slice(whole);
        }
        yield await foundEntries(store, rest.sort(byBoard));
      } finally {
        await cursor.close();
      }
    },
    atRanks: async ({ pairs, titleId }) => {
      const requestedPairs = new Set(pairs.map(pairKey));
      const filter = {
        playerKey: { $in: pairs.map(({ key }) => key) },
        rank: { $in: pairs.map(({ rank }) => rank) },
        ...(titleId !== undefined && { titleId: { $eq: titleId } }),
      };
      const rows = await store.run(() => entries.find(filter, { hint: 'by_player' }).toArray());
      const fitting = rows.filter(({ playerKey: key, rank }) => requestedPairs.has(pairKey({ key, rank })));
      return foundEntries(store, fitting.sort(byBoard));
    },
  } satisfies SearchQueries;
}

function pairKey({ key, rank }: { key: string; rank: number }): string {
  return `${rank} ${key}`;
}

/** Scans the index outward on both sides. A side that reached the limit may miss ties of its last entry. */
async function nearTimeInMongo(store: MongoStore, query: NearTimeQuery): Promise<FoundEntry[]> {
  const { timeMs, tolerance, from = 0, limit } = query;
  const sides = await Promise.all([
    scanSide(store, timeScan(query, timeMs + from, timeMs + tolerance), 1, limit),
    scanSide(store, timeScan(query, timeMs - tolerance, timeMs - Math.max(1, from)), -1, limit),
  ]);
  const distance = (row: EntryDocument) => Math.abs((row.timeMs ?? 0) - timeMs);
  // A commit between the scans may have moved a row to the other side.
  const inOrder = (rows: readonly EntryDocument[]) =>
    [...new Map(rows.map((row) => [row._id, row])).values()].sort((a, b) => distance(a) - distance(b) || byBoard(a, b));
  const rows = inOrder(sides.flat());
  const last = rows[limit - 1];
  const farthest = last === undefined ? Infinity : distance(last);
  const cut = sides.flatMap((side) => {
    const end = side[limit - 1];
    return end !== undefined && distance(end) === farthest ? [end.timeMs ?? 0] : [];
  });
  const atEnds = await Promise.all(cut.map((time) => firstWithTies(store, timeScan(query, time, time), limit)));
  return foundEntries(
    store,
    inOrder([...rows.filter((row) => !cut.includes(row.timeMs ?? 0)), ...atEnds.flat()]).slice(0, limit),
  );
}

function scanSide(
  store: MongoStore,
  { index, filter, order }: IndexScan,
  direction: 1 | -1,
  limit: number,
): Promise<EntryDocument[]> {
  const sort = Object.fromEntries(order.map((field) => [field, direction] as const));
  const entries = store.collection<EntryDocument>('entry');
  return store.run(() => entries.find(filter, { hint: index }).sort(sort).limit(limit).toArray());
}

function timeScan({ titleId }: NearTimeQuery, from: number, to: number): IndexScan {
  const between = { timeMs: { $gte: from, $lte: to } };
  return titleId === undefined
    ? { index: 'by_time', filter: between, order: ['timeMs', 'titleId', 'leaderboardId'] }
    : {
        index: 'by_title_and_time',
        filter: { titleId: { $eq: titleId }, ...between },
        order: ['timeMs', 'leaderboardId'],
      };
}

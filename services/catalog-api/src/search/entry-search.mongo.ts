import type { MongoStore } from '@lobbystats/service-kit/mongo';
import { boardId } from '../leaderboards/board.ts';
import type { BoardStore, FoundEntry } from '../leaderboards/board-store.ts';
import type { EntryRow } from '../leaderboards/board-rows.mongo.ts';
import { firstRowsWithTies, foundEntries, inBoardOrder, type IndexScan } from './entry-scans.mongo.ts';

const BATCH_ROWS = 1000;

export function entrySearch(store: MongoStore) {
  const entries = store.collection<EntryRow>('entry');
  return {
    nearTime: async (query) => nearTime(store, query),
    countNearTime: async ({ timeMs, tolerance, titleIds }) => {
      const between = {
        titleId: { $in: [...titleIds] },
        timeMs: { $gte: timeMs - tolerance, $lte: timeMs + tolerance },
      };
      return store.run(() => entries.countDocuments(between, { hint: 'by_title_and_time' }));
    },
    ofPlayers: async ({ limit, ...query }) => {
      const rows = await firstRowsWithTies(store, playerScan(query), limit);
      return foundEntries(store, rows.sort(inBoardOrder).slice(0, limit));
    },
    async *timesOfPlayers(query) {
      const { index, filter, order } = playerScan(query);
      const sort = Object.fromEntries(order.map((field) => [field, 1] as const));
      const times = { ...filter, timeMs: { $gte: 0 } };
      const cursor = entries.find(times, { hint: index, batchSize: BATCH_ROWS }).sort(sort);
      try {
        let rest: EntryRow[] = [];
        while (await store.run(() => cursor.hasNext())) {
          const rows = [...rest, ...cursor.readBufferedDocuments()];
          const last = rows.map(boardId).at(-1);
          const whole = rows.findLastIndex((row) => boardId(row) !== last) + 1;
          yield await foundEntries(store, rows.slice(0, whole).sort(inBoardOrder));
          rest = rows.slice(whole);
        }
        yield await foundEntries(store, rest.sort(inBoardOrder));
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
      return foundEntries(store, fitting.sort(inBoardOrder));
    },
  } satisfies Partial<BoardStore>;
}

function playerScan({ keys, titleId }: { keys: readonly string[]; titleId?: string | undefined }): IndexScan {
  const ofKeys = { playerKey: { $in: [...keys] } };
  return titleId === undefined
    ? { index: 'by_player', filter: ofKeys, order: ['titleId', 'leaderboardId'] }
    : { index: 'by_player', filter: { ...ofKeys, titleId: { $eq: titleId } }, order: ['leaderboardId'] };
}

function pairKey({ key, rank }: { key: string; rank: number }): string {
  return `${rank} ${key}`;
}

type NearTimeQuery = Parameters<BoardStore['nearTime']>[0];

/** Scans the index outward on both sides. A side that reached the limit may miss ties of its last entry. */
async function nearTime(store: MongoStore, query: NearTimeQuery): Promise<FoundEntry[]> {
  const { timeMs, tolerance, from = 0, limit } = query;
  const sides = await Promise.all([
    scanSide(store, timeScan(query, timeMs + from, timeMs + tolerance), 1, limit),
    scanSide(store, timeScan(query, timeMs - tolerance, timeMs - Math.max(1, from)), -1, limit),
  ]);
  const distance = (row: EntryRow) => Math.abs((row.timeMs ?? 0) - timeMs);
  // A commit between the scans may have moved a row to the other side.
  const inOrder = (rows: readonly EntryRow[]) =>
    [...new Map(rows.map((row) => [row._id, row])).values()].sort(
      (a, b) => distance(a) - distance(b) || inBoardOrder(a, b),
    );
  const rows = inOrder(sides.flat());
  const last = rows[limit - 1];
  const farthest = last === undefined ? Infinity : distance(last);
  const cut = sides.flatMap((side) => {
    const end = side[limit - 1];
    return end !== undefined && distance(end) === farthest ? [end.timeMs ?? 0] : [];
  });
  const atEnds = await Promise.all(cut.map((time) => firstRowsWithTies(store, timeScan(query, time, time), limit)));
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
): Promise<EntryRow[]> {
  const sort = Object.fromEntries(order.map((field) => [field, direction] as const));
  const entries = store.collection<EntryRow>('entry');
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

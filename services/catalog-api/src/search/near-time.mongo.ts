import type { MongoStore } from '@lobbystats/mongo-store';
import type { BoardStore, FoundEntry } from '../leaderboards/board-store.ts';
import type { EntryRow } from '../leaderboards/board-rows.mongo.ts';
import { firstRowsWithTies, type IndexScan } from './first-rows.mongo.ts';
import { foundEntries, inBoardOrder } from './found-entries.mongo.ts';

type NearTimeQuery = Parameters<BoardStore['nearTime']>[0];

/** Scans the index outward on both sides. A side that reached the limit may miss ties of its last entry. */
export async function nearTime(store: MongoStore, query: NearTimeQuery): Promise<FoundEntry[]> {
  const { timeMs, tolerance, limit } = query;
  const sides = await Promise.all([
    scanSide(store, timeScan(query, timeMs, timeMs + tolerance), 1, limit),
    scanSide(store, timeScan(query, timeMs - tolerance, timeMs - 1), -1, limit),
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

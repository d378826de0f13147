import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { Collection, Filter } from 'mongodb';
import type { EntryRow, StateRow } from '../leaderboards/board-rows.mongo.ts';
import { boardId } from '../leaderboards/board.ts';
import type { FoundEntry } from '../leaderboards/board-store.ts';

export interface IndexScan {
  readonly index: string;
  readonly filter: Filter<EntryRow>;
  readonly order: readonly ('titleId' | 'leaderboardId' | 'timeMs')[];
}

/** Returns ties whole, also beyond the limit: rank and position are not indexed, so the caller sorts. */
export async function firstRowsWithTies(
  store: MongoStore,
  { index, filter, order }: IndexScan,
  limit: number | undefined,
): Promise<EntryRow[]> {
  const entries: Collection<EntryRow> = store.collection('entry');
  const sort = Object.fromEntries(order.map((field) => [field, 1] as const));
  const count = limit === undefined ? 0 : limit + 1;
  const rows = await store.run(() => entries.find(filter, { hint: index }).sort(sort).limit(count).toArray());
  const [last, next] = [rows[count - 2], rows[count - 1]];
  if (last === undefined || next === undefined) return rows;
  const isEqual = (row: EntryRow) => order.every((field) => row[field] === last[field]);
  if (!isEqual(next)) return rows.slice(0, -1);
  const equal = Object.fromEntries(order.map((field) => [field, last[field]]));
  const ofLast = await store.run(() => entries.find({ $and: [filter, equal] }, { hint: index }).toArray());
  return [...rows.filter((row) => !isEqual(row)), ...ofLast];
}

export async function foundEntries(store: MongoStore, rows: readonly EntryRow[]): Promise<FoundEntry[]> {
  const ids = [...new Set(rows.map(boardId))];
  if (ids.length === 0) return [];
  const boards = await store.run(() =>
    store
      .collection<StateRow>('board')
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

export function inBoardOrder(a: EntryRow, b: EntryRow): number {
  if (a.titleId !== b.titleId) return a.titleId < b.titleId ? -1 : 1;
  return a.leaderboardId - b.leaderboardId || a.rank - b.rank || a.place - b.place;
}

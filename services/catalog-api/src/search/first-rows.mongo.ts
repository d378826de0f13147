import type { MongoStore } from '@lobbystats/mongo-store';
import type { Collection, Filter } from 'mongodb';
import type { EntryRow } from '../leaderboards/board-rows.mongo.ts';

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

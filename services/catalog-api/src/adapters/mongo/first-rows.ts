import type { MongoStore } from '@lobbystats/mongo-store';
import type { Collection, Filter } from 'mongodb';
import type { EntryRow } from './board-rows.ts';

/** A walk through an index of entries. */
export interface Walk {
  /** The name of the index. */
  readonly index: string;
  readonly filter: Filter<EntryRow>;
  /** Fields of the index in its order: those behind the ones that the filter fixes. */
  readonly order: readonly ('titleId' | 'leaderboardId' | 'timeMs')[];
}

/**
 * The first entries in an index's order. Of those that are equal in it all are given or none, but for what is beyond the
 * limit: no index is on rank and place, so that the caller sorts, and takes the first.
 */
export async function firstRows(
  store: MongoStore,
  { index, filter, order }: Walk,
  limit: number | undefined,
): Promise<EntryRow[]> {
  const entries: Collection<EntryRow> = store.collection('entry');
  const sort = Object.fromEntries(order.map((field) => [field, 1] as const));
  // One more says whether those that are equal to the last one are all there; 0 is no limit.
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

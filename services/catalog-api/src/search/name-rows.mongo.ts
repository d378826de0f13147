import { wordKeys } from '@lobbystats/contracts';
import { chunk } from '@lobbystats/service-kit/concurrency';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { boardKeyOf, type BoardContent } from '../leaderboards/board.ts';
import type { EntryRow, NameRow } from '../leaderboards/board-rows.mongo.ts';
import { nameParts } from './word-keys.ts';

const KEYS_PER_READ = 1000;

export interface Names {
  readonly boards: readonly AnyBulkWriteOperation<NameRow>[];
  /** By player key. */
  readonly players: ReadonlyMap<string, string>;
}

/** Counts the entries of these players again, so that order and repetition make no difference. */
export async function writeNames(store: MongoStore, session: ClientSession, { boards, players }: Names): Promise<void> {
  const names = store.collection<NameRow>('name');
  if (boards.length > 0) await names.bulkWrite([...boards], { session, ordered: false });
  for (const some of chunk([...players], KEYS_PER_READ)) {
    const matching = { $match: { playerKey: { $in: some.map(([key]) => key) } } };
    const counting = { $group: { _id: '$playerKey', n: { $sum: 1 } } };
    const counts = await store
      .collection<EntryRow>('entry')
      .aggregate<{ _id: string; n: number }>([matching, counting], { hint: 'by_player', session })
      .toArray();
    const entries = new Map(counts.map(({ _id, n }) => [_id, n]));
    const writes = some.map(([key, name]) =>
      nameWrite(`player ${key}`, { name, entries: entries.get(key), board: null }),
    );
    await names.bulkWrite(writes, { session, ordered: false });
  }
}

/** @param content undefined: the board is gone */
export function boardNameWrite(id: string, content: BoardContent | undefined): AnyBulkWriteOperation<NameRow> {
  const name = content?.name ?? '';
  const board = boardKeyOf(id);
  // IDs in the order of numbers.
  const rowId = `board ${board.titleId} ${String(board.leaderboardId).padStart(10)}`;
  return nameWrite(rowId, { name, entries: content?.entries.length, board });
}

/** Removes the name without `entries`. */
function nameWrite(
  _id: string,
  { entries, ...about }: Pick<NameRow, 'name' | 'board'> & { entries: number | undefined },
): AnyBulkWriteOperation<NameRow> {
  if (entries === undefined) return { deleteOne: { filter: { _id } } };
  const [firstWord = '', ...laterWords] = wordKeys(about.name);
  const replacement = { ...about, entries, firstWord, laterWords, parts: nameParts(about.name) };
  return { replaceOne: { filter: { _id }, replacement, upsert: true } };
}

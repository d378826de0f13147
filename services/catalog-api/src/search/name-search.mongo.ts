import { chunk } from '@lobbystats/concurrency';
import type { MongoStore } from '@lobbystats/mongo-store';
import type { AnyBulkWriteOperation, ClientSession, Filter } from 'mongodb';
import type { EntryRow, NameRow, StateRow } from '../leaderboards/board-rows.mongo.ts';
import type { BoardStore, FoundName } from '../leaderboards/board-store.ts';
import { endOfPrefix, matches, wordKeys, type Match } from './word-keys.ts';

const KEYS_PER_READ = 1000;

export function nameSearch(store: MongoStore) {
  const names = store.collection<NameRow>('name');
  const find = async (
    match: Match,
    hint: string,
    filter: Filter<NameRow>,
    limit: number,
  ): Promise<[string, FoundName][]> => {
    // Without a condition on the index's first field, MongoDB would not use one on its second.
    const query = { entries: { $gte: 0 }, ...filter };
    const rows = await store.run(() => names.find(query, { hint }).sort({ entries: -1 }).limit(limit).toArray());
    return rows.map(({ _id, name, entries, board }) => [_id, { match, name, entries, board }]);
  };
  return {
    namesWithWord: async (key, limit) => {
      const words = { $gte: key, $lt: endOfPrefix(key) };
      const found = await Promise.all([
        find(matches.exact, 'by_first_word', { firstWord: { $eq: key } }, limit),
        find(matches.firstWord, 'by_first_word', { firstWord: words }, 2 * limit),
        find(matches.laterWord, 'by_later_word', { laterWords: { $elemMatch: words } }, 2 * limit),
      ]);
      // The best match of a name is the last to be set, at the position of the first.
      const best = new Map(found.flat().reverse());
      return [...best.values()].sort((a, b) => a.match - b.match || b.entries - a.entries).slice(0, limit);
    },
    entryCounts: async (titleIds) => {
      const matching = { $match: { titleId: { $in: [...titleIds] }, gone: false } };
      const counting = { $group: { _id: '$titleId', n: { $sum: '$entryCount' } } };
      const counts = await store.run(() =>
        store
          .collection<StateRow>('board')
          .aggregate<{ _id: string; n: number }>([matching, counting], { hint: 'by_title' })
          .toArray(),
      );
      return new Map(counts.map(({ _id, n }) => [_id, n]));
    },
  } satisfies Partial<BoardStore>;
}

/** Returns the rows of players that have no name row yet. */
export async function withoutName(
  store: MongoStore,
  session: ClientSession,
  rows: readonly EntryRow[],
): Promise<EntryRow[]> {
  const known = new Set<string>();
  for (const some of chunk(rows, KEYS_PER_READ)) {
    const ids = some.map(({ playerKey }) => playerNameId(playerKey));
    const options = { session, projection: { _id: 1 } };
    for (const { _id } of await store
      .collection<NameRow>('name')
      .find({ _id: { $in: ids } }, options)
      .toArray())
      known.add(_id);
  }
  return rows.filter(({ playerKey }) => !known.has(playerNameId(playerKey)));
}

/**
 * Counts the entries of players again. Idempotent.
 *
 * @param players names by player key
 */
export async function updatePlayerNames(
  store: MongoStore,
  session: ClientSession,
  players: ReadonlyMap<string, string>,
): Promise<void> {
  for (const some of chunk([...players], KEYS_PER_READ)) {
    const matching = { $match: { playerKey: { $in: some.map(([key]) => key) } } };
    const counting = { $group: { _id: '$playerKey', n: { $sum: 1 } } };
    const counts = await store
      .collection<EntryRow>('entry')
      .aggregate<{ _id: string; n: number }>([matching, counting], { hint: 'by_player', session })
      .toArray();
    const entries = new Map(counts.map(({ _id, n }) => [_id, n]));
    const writes = some.map(([key, name]) =>
      nameWrite(playerNameId(key), key, { name, entries: entries.get(key), board: null }),
    );
    await store.collection<NameRow>('name').bulkWrite(writes, { session, ordered: false });
  }
}

/** Removes the name without `entries`. */
export function nameWrite(
  _id: string,
  searchable: string,
  { entries, ...about }: Pick<NameRow, 'name' | 'board'> & { entries: number | undefined },
): AnyBulkWriteOperation<NameRow> {
  if (entries === undefined) return { deleteOne: { filter: { _id } } };
  const [firstWord = '', ...laterWords] = wordKeys(searchable);
  return { replaceOne: { filter: { _id }, replacement: { ...about, entries, firstWord, laterWords }, upsert: true } };
}

function playerNameId(playerKey: string): string {
  return `player ${playerKey}`;
}

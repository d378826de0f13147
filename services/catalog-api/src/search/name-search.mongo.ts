import { matches, type Match } from '@lobbystats/contracts';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { Filter } from 'mongodb';
import type { EntryRow, NameRow, StateRow } from '../leaderboards/board-rows.mongo.ts';
import type { BoardStore, FoundName } from '../leaderboards/board-store.ts';
import { endOfPrefix } from './word-keys.ts';

export function nameSearch(store: MongoStore) {
  const names = store.collection<NameRow>('name');
  const find = async (
    match: Match,
    hint: string,
    filter: Filter<NameRow>,
    limit: number,
  ): Promise<[string, FoundName][]> => {
    // Without a condition on the index's first field, MongoDB would not use one on its second. Rows come in its order:
    // most entries first, then by word, boards before players.
    const query = { entries: { $gte: 0 }, ...filter };
    const rows = await store.run(() => names.find(query, { hint }).limit(limit).toArray());
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
      const best = new Map<string, FoundName>();
      for (const [id, name] of found.flat()) if (!best.has(id)) best.set(id, name);
      return [...best.values()].slice(0, limit);
    },
    namesWithPart: async (key, limit) => {
      const filter = { parts: { $elemMatch: { $gte: key, $lt: endOfPrefix(key) } } };
      const rows = await store.run(() => names.find(filter, { hint: 'by_part' }).limit(limit).toArray());
      return rows.map(({ name, entries, board }) => ({ match: matches.part, name, entries, board }));
    },
    boardCounts: async (playerKeys) => {
      const counts = new Map(playerKeys.map((key) => [key, new Map<string, number>()]));
      const matching = { $match: { playerKey: { $in: [...playerKeys] } } };
      const board = { playerKey: '$playerKey', titleId: '$titleId', leaderboardId: '$leaderboardId' };
      const rows = await store.run(() =>
        store
          .collection<EntryRow>('entry')
          .aggregate<{ _id: { playerKey: string; titleId: string } }>([matching, { $group: { _id: board } }], {
            hint: 'by_player',
          })
          .toArray(),
      );
      for (const { _id } of rows) {
        const titles = counts.get(_id.playerKey);
        titles?.set(_id.titleId, (titles.get(_id.titleId) ?? 0) + 1);
      }
      return counts;
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

import { matches, type Match } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { Filter } from 'mongodb';
import { OF_BOARD, titleIdOf, titleKey, type EntryDocument, type StateDocument } from '../boards/board-rows.ts';
import type { BoardKey } from '../boards/board.ts';
import type { MongoCatalog } from '../database/open.mongo.ts';
import { NAME_OF, type NameDocument } from './name-words.queries.ts';
import { endOfPrefix } from './word-keys.ts';

/** They throw AppError `unavailable`. */
export type NameQueries = ReturnType<typeof namesInSqlite>;

/** A name of a player, or of a leaderboard. */
export interface FoundName {
  readonly match: Match;
  readonly name: string;
  readonly entries: number;
  /** Null: a player. */
  readonly board: BoardKey | null;
}

/** Rows for each name at most: a name may match by its first and by each later word. */
const LATER_ROWS = 8;

/** Names with the most entries first. An index seek for each distinct number of entries, until the limit is reached. */
const FIND = `
  WITH RECURSIVE level (entries) AS (
    SELECT max(entries) FROM name_word WHERE is_first = ?1
    UNION ALL
    SELECT (SELECT max(entries) FROM name_word WHERE is_first = ?1 AND entries < level.entries)
      FROM level WHERE entries IS NOT NULL
  )
  SELECT entries, player_key AS playerKey, title_id AS titleKey, leaderboard_id AS leaderboardId
    FROM level CROSS JOIN name_word USING (entries)
    WHERE is_first = ?1 AND word_key >= ?2 AND word_key < ?3 LIMIT ?4`;

interface OwnerRow {
  playerKey: string;
  titleKey: number;
  leaderboardId: number;
}

interface WordRow extends OwnerRow {
  entries: number;
}

const FIND_PART = `
  SELECT DISTINCT player_key AS playerKey, title_id AS titleKey, leaderboard_id AS leaderboardId
    FROM name_part WHERE part >= ? AND part < ? LIMIT ?`;
const PLAYER_ENTRIES = 'SELECT count(*) AS entries FROM entry INDEXED BY entry_by_player WHERE player_key = ?';
const BOARD_ENTRIES = `SELECT entry_count AS entries FROM board WHERE ${OF_BOARD}`;
const PLAYER_TITLES = `
  SELECT title_id AS titleKey, count(DISTINCT leaderboard_id) AS boards
    FROM entry INDEXED BY entry_by_player WHERE player_key = ? GROUP BY title_id`;

export function namesInSqlite(sqlite: SqliteStore) {
  const nameOf = ({ playerKey, titleKey: title, leaderboardId }: OwnerRow) =>
    title === -1
      ? sqlite.get<{ name: string }>(NAME_OF, playerKey)
      : sqlite.get<{ name: string }>(`SELECT name FROM board WHERE ${OF_BOARD}`, title, leaderboardId);
  const entriesOf = ({ playerKey, titleKey: title, leaderboardId }: OwnerRow) =>
    title === -1
      ? sqlite.get<{ entries: number }>(PLAYER_ENTRIES, playerKey)
      : sqlite.get<{ entries: number }>(BOARD_ENTRIES, title, leaderboardId);
  const boardOf = ({ titleKey: title, leaderboardId }: OwnerRow): BoardKey | null =>
    title === -1 ? null : { titleId: titleIdOf(title), leaderboardId };

  return {
    /** Names with a word key that begins with `key`; better matches first, then those with more entries. */
    namesWithWord: async (key: string, limit: number) => {
      const found = new Map<string, FoundName>();
      const add = (match: Match, isFirst: 0 | 1, end: string, count: number) => {
        if (found.size >= limit) return;
        for (const row of sqlite.all<WordRow>(FIND, isFirst, key, end, count)) {
          const id = `${row.titleKey} ${row.leaderboardId} ${row.playerKey}`;
          if (found.size === limit || found.has(id)) continue;
          found.set(id, { match, name: nameOf(row)?.name ?? '', entries: row.entries, board: boardOf(row) });
        }
      };
      add(matches.exact, 1, `${key}\0`, limit);
      add(matches.firstWord, 1, endOfPrefix(key), 2 * limit);
      add(matches.laterWord, 0, endOfPrefix(key), LATER_ROWS * limit);
      return [...found.values()];
    },
    /** Names with a part that begins with `key`, those with least behind it first. */
    namesWithPart: async (key: string, limit: number): Promise<FoundName[]> =>
      sqlite.all<OwnerRow>(FIND_PART, key, endOfPrefix(key), limit).map((row) => ({
        ...{ match: matches.part, name: nameOf(row)?.name ?? '' },
        ...{ entries: entriesOf(row)?.entries ?? 0, board: boardOf(row) },
      })),
    /** How many boards of each title have an entry of each player. */
    boardCounts: async (playerKeys: readonly string[]): Promise<Map<string, ReadonlyMap<string, number>>> =>
      new Map(
        playerKeys.map((playerKey) => {
          const titles = sqlite.all<{ titleKey: number; boards: number }>(PLAYER_TITLES, playerKey);
          return [playerKey, new Map(titles.map(({ titleKey: title, boards }) => [titleIdOf(title), boards]))];
        }),
      ),
    /** Entries on all boards of each title. */
    entryCounts: async (titleIds: readonly string[]) => {
      const sql = `SELECT title_id AS title, sum(entry_count) AS n FROM json_each(?) CROSS JOIN board ON title_id = value
        WHERE gone = 0 GROUP BY title_id`;
      const counts = sqlite.all<{ title: number; n: number }>(sql, JSON.stringify(titleIds.map(titleKey)));
      return new Map(counts.map(({ title, n }) => [titleIdOf(title), n]));
    },
  };
}

export function namesInMongo({ store }: Pick<MongoCatalog, 'store'>) {
  const names = store.collection<NameDocument>('name');
  const find = async (
    match: Match,
    hint: string,
    filter: Filter<NameDocument>,
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
          .collection<EntryDocument>('entry')
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
          .collection<StateDocument>('board')
          .aggregate<{ _id: string; n: number }>([matching, counting], { hint: 'by_title' })
          .toArray(),
      );
      return new Map(counts.map(({ _id, n }) => [_id, n]));
    },
  } satisfies NameQueries;
}

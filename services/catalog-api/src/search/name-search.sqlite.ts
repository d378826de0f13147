import { matches, wordKeys, type Match } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { BoardKey } from '../leaderboards/board.ts';
import type { BoardStore, FoundName } from '../leaderboards/board-store.ts';
import { OF_BOARD, titleIdOf, titleKey } from '../leaderboards/board-reads.sqlite.ts';
import { endOfPrefix, nameParts } from './word-keys.ts';

type Owner = readonly [playerKey: string, titleKey: number, leaderboardId: number];

const ownerOfPlayer = (playerKey: string): Owner => [playerKey, -1, -1];

interface NamedBoard {
  readonly name: string;
  readonly entries: number;
}

export function namedBoard(sqlite: SqliteStore, board: readonly [number, number]): NamedBoard | undefined {
  return sqlite.get<NamedBoard>(
    `SELECT name, entry_count AS entries FROM board WHERE ${OF_BOARD} AND gone = 0`,
    ...board,
  );
}

/** Undefined: absent, or gone. */
export function updateBoardWords(
  sqlite: SqliteStore,
  board: readonly [number, number],
  [before, after]: readonly [NamedBoard | undefined, NamedBoard | undefined],
): void {
  const owner: Owner = ['', ...board];
  if (before?.name === after?.name) moveWords(sqlite, after?.name ?? '', owner, [before?.entries, after?.entries]);
  else {
    if (before !== undefined) moveWords(sqlite, before.name, owner, [before.entries, undefined]);
    if (after !== undefined) moveWords(sqlite, after.name, owner, [undefined, after.entries]);
  }
}

/** @param added entries of each player that were added, less those removed */
export function updatePlayerWords(sqlite: SqliteStore, added: ReadonlyMap<string, number>): void {
  const count = 'SELECT count(*) AS n FROM entry INDEXED BY entry_by_player WHERE player_key = ?';
  for (const [playerKey, difference] of added) {
    if (difference === 0) continue;
    const after = sqlite.get<{ n: number }>(count, playerKey)?.n ?? 0;
    movePlayer(sqlite, playerKey, [after - difference || undefined, after || undefined]);
  }
}

const NAME_OF = 'SELECT name FROM player_name WHERE player_key = ?';
const SPELLING = 'SELECT name FROM entry INDEXED BY entry_by_player WHERE player_key = ? LIMIT 1';
const ADD_NAME = 'INSERT INTO player_name VALUES (?, ?)';
const REMOVE_NAME = 'DELETE FROM player_name WHERE player_key = ?';

/** A player keeps the first spelling: its words are removed as they were added. */
function movePlayer(
  sqlite: SqliteStore,
  playerKey: string,
  counts: readonly [number | undefined, number | undefined],
): void {
  const [before, after] = counts;
  const isNew = before === undefined;
  const name = sqlite.get<{ name: string }>(isNew ? SPELLING : NAME_OF, playerKey)?.name ?? playerKey;
  if (isNew && after !== undefined) sqlite.run(ADD_NAME, playerKey, name);
  moveWords(sqlite, name, ownerOfPlayer(playerKey), counts);
  if (!isNew && after === undefined) sqlite.run(REMOVE_NAME, playerKey);
}

const OF_WORD = `is_first = ? AND entries = ? AND word_key = ? AND player_key = ? AND ${OF_BOARD}`;
const ADD = 'INSERT INTO name_word VALUES (?, ?, ?, ?, ?, ?)';
const REMOVE = `DELETE FROM name_word WHERE ${OF_WORD}`;
const MOVE = `UPDATE name_word SET entries = ? WHERE ${OF_WORD}`;
const ADD_PART = 'INSERT INTO name_part VALUES (?, ?, ?, ?)';
const REMOVE_PART = `DELETE FROM name_part WHERE part = ? AND player_key = ? AND ${OF_BOARD}`;

function moveWords(
  sqlite: SqliteStore,
  name: string,
  owner: Owner,
  [before, after]: readonly [number | undefined, number | undefined],
): void {
  if (before === after) return;
  for (const [index, key] of wordKeys(name).entries()) {
    const isFirst = Number(index === 0);
    if (before === undefined) sqlite.run(ADD, isFirst, after ?? 0, key, ...owner);
    else if (after === undefined) sqlite.run(REMOVE, isFirst, before, key, ...owner);
    else sqlite.run(MOVE, after, isFirst, before, key, ...owner);
  }
  if (before !== undefined && after !== undefined) return;
  for (const part of nameParts(name)) sqlite.run(before === undefined ? ADD_PART : REMOVE_PART, part, ...owner);
}

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

export function nameSearch(sqlite: SqliteStore) {
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
    namesWithWord: async (key, limit) => {
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
    namesWithPart: async (key, limit) =>
      sqlite.all<OwnerRow>(FIND_PART, key, endOfPrefix(key), limit).map((row) => ({
        ...{ match: matches.part, name: nameOf(row)?.name ?? '' },
        ...{ entries: entriesOf(row)?.entries ?? 0, board: boardOf(row) },
      })),
    boardCounts: async (playerKeys) =>
      new Map(
        playerKeys.map((playerKey) => {
          const titles = sqlite.all<{ titleKey: number; boards: number }>(PLAYER_TITLES, playerKey);
          return [playerKey, new Map(titles.map(({ titleKey: title, boards }) => [titleIdOf(title), boards]))];
        }),
      ),
    entryCounts: async (titleIds) => {
      const sql = `SELECT title_id AS title, sum(entry_count) AS n FROM json_each(?) CROSS JOIN board ON title_id = value
        WHERE gone = 0 GROUP BY title_id`;
      const counts = sqlite.all<{ title: number; n: number }>(sql, JSON.stringify(titleIds.map(titleKey)));
      return new Map(counts.map(({ title, n }) => [titleIdOf(title), n]));
    },
  } satisfies Partial<BoardStore>;
}

/** Rows for each name at most: a name may match by its first and by each later word. */
const LATER_ROWS = 8;

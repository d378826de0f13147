import { wordKeys } from '@lobbystats/contracts';
import { chunk } from '@lobbystats/service-kit/concurrency';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { OF_BOARD, type EntryDocument } from '../boards/board-rows.ts';
import { boardKeyOf, type BoardContent, type BoardKey } from '../boards/board.ts';
import { nameParts } from './word-keys.ts';

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

export const NAME_OF = 'SELECT name FROM player_name WHERE player_key = ?';
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

/** A player or leaderboard, to be found by the words of its name. */
export interface NameDocument {
  _id: string;
  name: string;
  entries: number;
  /** Null: a player. */
  board: BoardKey | null;
  firstWord: string;
  laterWords: string[];
  parts: string[];
}

const KEYS_PER_READ = 1000;

export interface Names {
  readonly boards: readonly AnyBulkWriteOperation<NameDocument>[];
  /** The keys of the map are those of players. */
  readonly players: ReadonlyMap<string, string>;
}

/** Counts the entries of these players again, so that order and repetition make no difference. */
export async function writeNames(store: MongoStore, session: ClientSession, { boards, players }: Names): Promise<void> {
  const names = store.collection<NameDocument>('name');
  if (boards.length > 0) await names.bulkWrite([...boards], { session, ordered: false });
  for (const some of chunk([...players], KEYS_PER_READ)) {
    const matching = { $match: { playerKey: { $in: some.map(([key]) => key) } } };
    const counting = { $group: { _id: '$playerKey', n: { $sum: 1 } } };
    const counts = await store
      .collection<EntryDocument>('entry')
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
export function boardNameWrite(id: string, content: BoardContent | undefined): AnyBulkWriteOperation<NameDocument> {
  const name = content?.name ?? '';
  const board = boardKeyOf(id);
  // IDs in the order of numbers.
  const rowId = `board ${board.titleId} ${String(board.leaderboardId).padStart(10)}`;
  return nameWrite(rowId, { name, entries: content?.entries.length, board });
}

/** Removes the name without `entries`. */
function nameWrite(
  _id: string,
  { entries, ...about }: Pick<NameDocument, 'name' | 'board'> & { entries: number | undefined },
): AnyBulkWriteOperation<NameDocument> {
  if (entries === undefined) return { deleteOne: { filter: { _id } } };
  const [firstWord = '', ...laterWords] = wordKeys(about.name);
  const replacement = { ...about, entries, firstWord, laterWords, parts: nameParts(about.name) };
  return { replaceOne: { filter: { _id }, replacement, upsert: true } };
}

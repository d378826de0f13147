import { nameKey } from '@lobbystats/contracts';
import { chunk } from '@lobbystats/service-kit/concurrency';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { AnyBulkWriteOperation } from 'mongodb';
import { OF_BOARD, type EntryDocument } from '../boards/board-rows.ts';
import type { BoardContent, Entry } from '../boards/board.ts';
import { pairEntries } from './diff-board.ts';

const READ = `SELECT entry_no AS number, place, rank, name, rating, time_ms AS timeMs FROM entry WHERE ${OF_BOARD} ORDER BY place`;
const ADD = 'INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
const MOVE = `UPDATE entry SET place = ?, rank = ? WHERE ${OF_BOARD} AND entry_no = ?`;
const CHANGE = `UPDATE entry SET place = ?, rank = ?, rating = ?, time_ms = ? WHERE ${OF_BOARD} AND entry_no = ?`;
const REMOVE = `DELETE FROM entry WHERE ${OF_BOARD} AND entry_no = ?`;

/** Moved rows keep their indexed fields. Rows are read again, since the commit lacks their row numbers. */
export function putEntries(
  sqlite: SqliteStore,
  board: readonly [number, number],
  { isTime, entries }: Pick<BoardContent, 'isTime' | 'entries'>,
  added: Map<string, number>,
): void {
  const count = (playerKey: string, difference: 1 | -1) =>
    added.set(playerKey, (added.get(playerKey) ?? 0) + difference);
  const rows = sqlite.all<NumberedRow>(READ, ...board);
  const after = entries.map((entry): Row => ({ ...entry, timeMs: isTime ? entry.timeMs : null }));
  const { partners, removed } = pairEntries(rows, after, valueOf);
  for (const { number, name } of removed) {
    sqlite.run(REMOVE, ...board, number);
    count(nameKey(name), -1);
  }
  let highest = rows.reduce((most, { number }) => Math.max(most, number), 0);
  for (const [place, row] of after.entries()) {
    const { rank, name, rating, timeMs } = row;
    const old = partners[place];
    if (old === undefined) {
      highest += 1;
      const playerKey = nameKey(name);
      sqlite.run(ADD, ...board, highest, place, rank, name, playerKey, rating, timeMs);
      count(playerKey, 1);
    } else if (valueOf(old) !== valueOf(row)) {
      sqlite.run(CHANGE, place, rank, rating, timeMs, ...board, old.number);
    } else if (old.place !== place || old.rank !== rank) {
      sqlite.run(MOVE, place, rank, ...board, old.number);
    }
  }
}

function valueOf({ rating, timeMs }: Row): string {
  return `${timeMs ?? ''} ${rating}`;
}

interface Row extends Omit<Entry, 'timeMs'> {
  readonly timeMs: number | null;
}

interface NumberedRow extends Row {
  readonly number: number;
  readonly place: number;
}

export interface EntryWrite {
  /** Includes the names of removed entries. */
  readonly rows: number;
  readonly added?: EntryDocument;
  readonly removed?: readonly EntryDocument[];
  readonly write: AnyBulkWriteOperation<EntryDocument>;
}

const ROWS_PER_STATEMENT = 1000;

/** Unordered writes. A moved entry keeps its indexed fields; rows moved by the same distance share one statement. */
export function entryWrites(before: readonly EntryDocument[], after: readonly EntryDocument[]): EntryWrite[] {
  const old = new Map(before.map((row) => [row._id, row]));
  const moved = new Map<string, { $inc: { place: number; rank: number }; ids: string[] }>();
  const changed: EntryWrite[] = [];
  const added: EntryWrite[] = [];
  for (const row of after) {
    const was = old.get(row._id);
    old.delete(row._id);
    if (was === undefined) added.push({ rows: 1, added: row, write: { insertOne: { document: row } } });
    else if (hasOtherValue(was, row)) changed.push({ rows: 1, write: updateOperation(row) });
    else if (was.place !== row.place || was.rank !== row.rank) {
      const $inc = { place: row.place - was.place, rank: row.rank - was.rank };
      const alike = moved.get(`${$inc.place} ${$inc.rank}`);
      if (alike === undefined) moved.set(`${$inc.place} ${$inc.rank}`, { $inc, ids: [row._id] });
      else alike.ids.push(row._id);
    }
  }
  const removed = chunk([...old.values()], ROWS_PER_STATEMENT).map((some) => ({
    rows: 2 * some.length,
    removed: some,
    write: { deleteMany: { filter: { _id: { $in: some.map(({ _id }) => _id) } } } },
  }));
  const moves = [...moved.values()].flatMap(({ $inc, ids }) =>
    chunk(ids, ROWS_PER_STATEMENT).map((some) => ({
      rows: some.length,
      write: { updateMany: { filter: { _id: { $in: some } }, update: { $inc } } },
    })),
  );
  return [...removed, ...moves, ...changed, ...added];
}

function hasOtherValue(was: EntryDocument, row: EntryDocument): boolean {
  return was.rating !== row.rating || was.timeMs !== row.timeMs;
}

function updateOperation({ _id, place, rank, rating, timeMs }: EntryDocument): AnyBulkWriteOperation<EntryDocument> {
  return { updateOne: { filter: { _id }, update: { $set: { place, rank, rating, timeMs } } } };
}

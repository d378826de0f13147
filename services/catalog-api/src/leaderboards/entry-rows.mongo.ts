import { chunk } from '@lobbystats/service-kit/concurrency';
import { nameKey } from '@lobbystats/contracts';
import type { AnyBulkWriteOperation } from 'mongodb';
import { boardId, type BoardContent, type BoardKey } from './board.ts';
import type { EntryRow } from './board-rows.mongo.ts';

export interface EntryWrite {
  /** Includes the names of removed entries. */
  readonly rows: number;
  readonly added?: EntryRow;
  readonly removed?: readonly EntryRow[];
  readonly write: AnyBulkWriteOperation<EntryRow>;
}

const ROWS_PER_STATEMENT = 1000;

/** Unordered writes. A moved entry keeps its indexed fields; rows moved by the same distance share one statement. */
export function entryWrites(before: readonly EntryRow[], after: readonly EntryRow[]): EntryWrite[] {
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

export function entryRows(
  { titleId, leaderboardId }: BoardKey,
  { isTime, entries }: Pick<BoardContent, 'isTime' | 'entries'>,
): EntryRow[] {
  const board = boardId({ titleId, leaderboardId });
  const numbers = new Map<string, number>();
  return entries.map(({ rank, name: text, rating, timeMs }, place) => {
    const name = text.toWellFormed();
    const number = numbers.get(name) ?? 0;
    numbers.set(name, number + 1);
    return {
      _id: `${board} ${number} ${name}`,
      titleId,
      leaderboardId,
      place,
      rank,
      name,
      playerKey: nameKey(name),
      rating,
      timeMs: isTime ? timeMs : null,
    };
  });
}

function hasOtherValue(was: EntryRow, row: EntryRow): boolean {
  return was.rating !== row.rating || was.timeMs !== row.timeMs;
}

function updateOperation({ _id, place, rank, rating, timeMs }: EntryRow): AnyBulkWriteOperation<EntryRow> {
  return { updateOne: { filter: { _id }, update: { $set: { place, rank, rating, timeMs } } } };
}

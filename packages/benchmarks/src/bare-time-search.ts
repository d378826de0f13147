import type { DatabaseSync } from 'node:sqlite';
import type { Db } from 'mongodb';
import type { EntryRow, StateRow } from '@lobbystats/catalog-api/board-rows.mongo';
import { boardId } from '@lobbystats/catalog-api/board';

/** Finds the entries nearest to a time, with board names, by the driver alone and the same index. */
export type BareTimeSearch = (timeMs: number, tolerance: number, limit: number) => Promise<unknown[]>;

/** One ascending and one descending statement, each with up to `limit` rows. */
export function bareSqliteSearch(database: DatabaseSync): BareTimeSearch {
  const walk = (order: 'ASC' | 'DESC') =>
    `SELECT entry.title_id, entry.leaderboard_id, board.name AS board, entry.name, rank, rating, time_ms AS timeMs
       FROM entry CROSS JOIN board USING (title_id, leaderboard_id)
       WHERE time_ms IS NOT NULL AND time_ms >= ? AND time_ms <= ? ORDER BY time_ms ${order} LIMIT ?`;
  const up = database.prepare(walk('ASC'));
  const down = database.prepare(walk('DESC'));
  return (timeMs, tolerance, limit) => {
    const above = up.all(timeMs, timeMs + tolerance, limit) as unknown as TimedRow[];
    const below = down.all(timeMs - tolerance, timeMs - 1, limit) as unknown as TimedRow[];
    return Promise.resolve(nearest([...above, ...below], timeMs, limit));
  };
}

/** One query per direction in parallel, and one for the names. */
export function bareMongoSearch(db: Db): BareTimeSearch {
  const entries = db.collection<EntryRow>('entry');
  const boards = db.collection<StateRow>('board');
  const walk = (from: number, to: number, order: 1 | -1, limit: number) =>
    entries
      .find({ timeMs: { $gte: from, $lte: to } }, { hint: 'by_time' })
      .sort({ timeMs: order })
      .limit(limit)
      .toArray();
  return async (timeMs, tolerance, limit) => {
    const [above, below] = await Promise.all([
      walk(timeMs, timeMs + tolerance, 1, limit),
      walk(timeMs - tolerance, timeMs - 1, -1, limit),
    ]);
    const found = nearest([...above, ...below], timeMs, limit);
    const ids = [...new Set(found.map(boardId))];
    const named = await boards.find({ _id: { $in: ids } }, { projection: { name: 1 } }).toArray();
    const names = new Map(named.map(({ _id, name }) => [_id, name]));
    return found.map((row) => ({ ...row, board: names.get(boardId(row)) }));
  };
}

interface TimedRow {
  readonly timeMs: number | null;
}

function nearest<Row extends TimedRow>(rows: Row[], timeMs: number, limit: number): Row[] {
  const distance = (row: Row) => Math.abs((row.timeMs ?? 0) - timeMs);
  return rows.sort((a, b) => distance(a) - distance(b)).slice(0, limit);
}

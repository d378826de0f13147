import { setImmediate } from 'node:timers/promises';
import type { SqliteStore } from '@lobbystats/sqlite-store';
import { FOUND_COLUMNS, inBoardOrder, type FoundRow } from './found-rows.sqlite.ts';
import { titleKey } from '../titles/title-key.sqlite.ts';

const INITIAL_BATCH_ROWS = 125;
/** SQLite blocks this process for some milliseconds meanwhile. */
const MAX_BATCH_ROWS = 1000;
const MAX_ID = 0xffffffff;

type Bound = readonly [title: number, board: number];

interface PlayersQuery {
  readonly keys: readonly string[];
  readonly titleId?: string;
}

/** Reads whole boards in batches, with a pause between batches. `among`: a further condition on the table `entry`. */
export async function* playerBatches(
  sqlite: SqliteStore,
  { keys, titleId }: PlayersQuery,
  among = 'TRUE',
): AsyncGenerator<FoundRow[]> {
  const part = `SELECT ${FOUND_COLUMNS} FROM entry CROSS JOIN board USING (title_id, leaderboard_id)
    WHERE player_key IN (${keys.map(() => '?').join(', ')}) AND ${among}
      AND (entry.title_id, entry.leaderboard_id) > (?, ?) AND (entry.title_id, entry.leaderboard_id) <= (?, ?)`;
  const last: Bound = [titleId === undefined ? MAX_ID : titleKey(titleId), MAX_ID];
  let from: Bound = [titleId === undefined ? 0 : titleKey(titleId), -1];
  for (let size = INITIAL_BATCH_ROWS; ; size = Math.min(2 * size, MAX_BATCH_ROWS)) {
    const to = boardAfter(sqlite, [from, last], Math.ceil(size / keys.length));
    const rows = sqlite.all<FoundRow>(part, ...keys, ...from, ...(to ?? last));
    yield rows.sort(inBoardOrder);
    if (to === undefined) return;
    from = to;
    await setImmediate();
  }
}

function boardAfter(sqlite: SqliteStore, [from, last]: readonly [Bound, Bound], count: number): Bound | undefined {
  const board = sqlite.get<{ title: number; number: number }>(
    `SELECT title_id AS title, leaderboard_id AS number FROM board
      WHERE (title_id, leaderboard_id) > (?, ?) AND (title_id, leaderboard_id) <= (?, ?)
      ORDER BY title_id, leaderboard_id LIMIT 1 OFFSET ?`,
    ...from,
    ...last,
    count - 1,
  );
  return board && [board.title, board.number];
}

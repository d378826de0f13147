import { setImmediate } from 'node:timers/promises';
import type { SqliteStore } from '@lobbystats/sqlite-store';
import { FOUND_COLUMNS, inBoardOrder, type FoundRow } from './found-rows.ts';
import { titleKey } from './title-key.ts';

/** Rows that the first part has, about: often nobody asks for more. */
const ROWS_AT_FIRST = 125;
/** Rows that a part has, about. SQLite holds up all else in this process while it reads them: some milliseconds. */
const ROWS_AT_ONCE = 1000;
/** The highest title ID, and above the highest board's number. */
const HIGHEST = 0xffffffff;

/** A board: its title and its number. */
type Bound = readonly [title: number, board: number];

interface WantedPlayers {
  readonly keys: readonly string[];
  readonly titleId?: string;
}

/**
 * Entries of players by titleId, board, rank and place, in parts of whole boards. All else has a turn between two parts.
 *
 * @param among a further condition on the table `entry`
 */
export async function* playerParts(
  sqlite: SqliteStore,
  { keys, titleId }: WantedPlayers,
  among = 'TRUE',
): AsyncGenerator<FoundRow[]> {
  const part = `SELECT ${FOUND_COLUMNS} FROM entry CROSS JOIN board USING (title_id, leaderboard_id)
    WHERE player_key IN (${keys.map(() => '?').join(', ')}) AND ${among}
      AND (entry.title_id, entry.leaderboard_id) > (?, ?) AND (entry.title_id, entry.leaderboard_id) <= (?, ?)`;
  const last: Bound = [titleId === undefined ? HIGHEST : titleKey(titleId), HIGHEST];
  let from: Bound = [titleId === undefined ? 0 : titleKey(titleId), -1];
  for (let size = ROWS_AT_FIRST; ; size = Math.min(2 * size, ROWS_AT_ONCE)) {
    const to = boardBehind(sqlite, [from, last], Math.ceil(size / keys.length));
    const rows = sqlite.all<FoundRow>(part, ...keys, ...from, ...(to ?? last));
    yield rows.sort(inBoardOrder);
    if (to === undefined) return;
    from = to;
    await setImmediate();
  }
}

/** The board that is the last of so many behind another one; undefined when there are not as many. */
function boardBehind(sqlite: SqliteStore, [from, last]: readonly [Bound, Bound], count: number): Bound | undefined {
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

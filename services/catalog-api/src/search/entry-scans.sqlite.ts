import { setImmediate } from 'node:timers/promises';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { FoundEntry } from '../leaderboards/board-store.ts';
import { titleIdOf, titleKey } from '../leaderboards/board-reads.sqlite.ts';

export interface FoundRow extends Omit<FoundEntry, 'titleId' | 'isTime'> {
  titleKey: number;
  isTime: number;
  place: number;
}

export const FOUND_COLUMNS = `entry.title_id AS titleKey, entry.leaderboard_id AS leaderboardId,
  board.name AS leaderboardName, board.is_time AS isTime, entry.name AS playerName, rank, rating,
  ifnull(time_ms, 0) AS timeMs, place`;

export function selectRows(found: string): string {
  return `
    SELECT ${FOUND_COLUMNS} FROM (${found}) AS found
      CROSS JOIN entry USING (title_id, leaderboard_id, entry_no)
      CROSS JOIN board USING (title_id, leaderboard_id)`;
}

export function inBoardOrder(a: FoundRow, b: FoundRow): number {
  return a.titleKey - b.titleKey || a.leaderboardId - b.leaderboardId || a.rank - b.rank || a.place - b.place;
}

export function foundEntry(row: FoundRow): FoundEntry {
  return {
    titleId: titleIdOf(row.titleKey),
    leaderboardId: row.leaderboardId,
    leaderboardName: row.leaderboardName,
    isTime: row.isTime === 1,
    playerName: row.playerName,
    rank: row.rank,
    rating: row.rating,
    timeMs: row.timeMs,
  };
}

const INITIAL_BATCH_ROWS = 125;
/** SQLite blocks this process for some milliseconds meanwhile. */
const MAX_BATCH_ROWS = 1000;
const MAX_ID = 0xffffffff;

type Bound = readonly [title: number, board: number];

interface PlayersQuery {
  readonly keys: readonly string[];
  readonly titleId?: string | undefined;
}

/** Reads the players' boards in batches, with a pause between batches. `among`: a further condition on the table `entry`. */
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
    const to = boardAfter(sqlite, keys, [from, last], Math.ceil(size / keys.length));
    const rows = sqlite.all<FoundRow>(part, ...keys, ...from, ...(to ?? last));
    yield rows.sort(inBoardOrder);
    if (to === undefined) return;
    from = to;
    await setImmediate();
  }
}

/** The first board up to which a player has this many entries. Undefined: all have fewer. */
function boardAfter(
  sqlite: SqliteStore,
  keys: readonly string[],
  [from, last]: readonly [Bound, Bound],
  count: number,
): Bound | undefined {
  const ofPlayer = `SELECT title_id AS title, leaderboard_id AS number FROM entry INDEXED BY entry_by_player
    WHERE player_key = ? AND (title_id, leaderboard_id) > (?, ?) AND (title_id, leaderboard_id) <= (?, ?)
    ORDER BY title_id, leaderboard_id LIMIT 1 OFFSET ?`;
  return keys
    .flatMap((key) => sqlite.get<{ title: number; number: number }>(ofPlayer, key, ...from, ...last, count - 1) ?? [])
    .map(({ title, number }): Bound => [title, number])
    .sort(([a, one], [b, other]) => a - b || one - other)[0];
}

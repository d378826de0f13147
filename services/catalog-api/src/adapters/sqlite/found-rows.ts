import type { FoundEntry } from '../../domain/board-store.ts';
import { titleIdOf } from './title-key.ts';

/** A found entry as a row, with its place for the order among equals. */
export interface FoundRow extends Omit<FoundEntry, 'titleId' | 'isTime'> {
  titleKey: number;
  isTime: number;
  place: number;
}

/** The columns of a {@link FoundRow}. */
export const FOUND_COLUMNS = `entry.title_id AS titleKey, entry.leaderboard_id AS leaderboardId,
  board.name AS leaderboardName, board.is_time AS isTime, entry.name AS playerName, rank, rating,
  ifnull(time_ms, 0) AS timeMs, place`;

/** The rows of the entries that a `SELECT title_id, leaderboard_id, entry_no` finds. */
export function rowsOf(found: string): string {
  return `
    SELECT ${FOUND_COLUMNS} FROM (${found}) AS found
      CROSS JOIN entry USING (title_id, leaderboard_id, entry_no)
      CROSS JOIN board USING (title_id, leaderboard_id)`;
}

/** By titleId, board, rank, place. */
export function inBoardOrder(a: FoundRow, b: FoundRow): number {
  return a.titleKey - b.titleKey || a.leaderboardId - b.leaderboardId || a.rank - b.rank || a.place - b.place;
}

/** The entry of a row, field by field: an answer may have thousands. */
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

import type { FoundEntry } from '../leaderboards/board-store.ts';
import { titleIdOf } from '../titles/title-key.sqlite.ts';

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

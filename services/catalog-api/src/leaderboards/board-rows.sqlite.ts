import type { BoardKey, BoardState } from './board.ts';

export function titleKey(titleId: string): number {
  return Number.parseInt(titleId, 16);
}

export function titleIdOf(key: number): string {
  return key.toString(16).padStart(8, '0');
}

/** Takes {@link boardValues}. */
export const OF_BOARD = 'title_id = ? AND leaderboard_id = ?';

export function boardValues({ titleId, leaderboardId }: BoardKey): [number, number] {
  return [titleKey(titleId), leaderboardId];
}

export const STATE_COLUMNS = `title_id AS titleKey, leaderboard_id AS leaderboardId, name, is_time AS isTime,
  entry_count AS entryCount, gone, version, pass, changed_at AS changedAt, observed_at AS observedAt`;

export interface StateRow extends Omit<BoardState, 'titleId' | 'isTime' | 'gone'> {
  titleKey: number;
  isTime: number;
  gone: number;
}

export function stateOf({ titleKey, isTime, gone, ...row }: StateRow): BoardState {
  return { titleId: titleIdOf(titleKey), ...row, isTime: isTime === 1, gone: gone === 1 };
}

export const ENTRY_COLUMNS = 'rank, name, rating, ifnull(time_ms, 0) AS timeMs';

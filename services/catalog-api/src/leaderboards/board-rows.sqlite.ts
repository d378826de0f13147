import type { BoardState } from './board.ts';
import { titleIdOf } from '../titles/title-key.sqlite.ts';

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

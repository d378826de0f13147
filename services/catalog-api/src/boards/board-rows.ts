import { nameKey } from '@lobbystats/contracts';
import { boardId, type BoardContent, type BoardKey, type BoardState, type ChangeLog } from './board.ts';

// Rows of SQLite.

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

// Documents of MongoDB.

/** Commits and projection steps update this first: of two concurrent ones, one restarts. */
export interface LogDocument extends ChangeLog {
  _id: 'boards';
}

export interface PendingBoardDocument {
  _id: string;
  /** Set by a backfill: new players are counted after it. */
  past?: true;
}

export interface StateDocument extends BoardState {
  _id: string;
}

/** Packed; for a board that is gone, its last content. */
export interface ContentDocument {
  _id: string;
  gone: boolean;
  content: Uint8Array;
}

export interface VersionDocument {
  _id: string;
  content: Uint8Array | null;
}

/** Rank and position are not indexed: a new record moves every entry below it. */
export interface EntryDocument extends BoardKey {
  _id: string;
  place: number;
  rank: number;
  name: string;
  playerKey: string;
  rating: string;
  /** Null on a score board. */
  timeMs: number | null;
}

export function versionRowId(board: string, day: string): string {
  return `${board} ${day}`;
}

export function keyRange(board: string): { $gt: string; $lt: string } {
  return { $gt: `${board} `, $lt: `${board}!` };
}

export function entryDocuments(
  { titleId, leaderboardId }: BoardKey,
  { isTime, entries }: Pick<BoardContent, 'isTime' | 'entries'>,
): EntryDocument[] {
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

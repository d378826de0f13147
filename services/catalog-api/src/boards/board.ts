import { formatRaceTime, type EpochSeconds, type ObservedEntry } from '@lobbystats/contracts';

export type Entry = ObservedEntry;

export interface BoardKey {
  readonly titleId: string;
  readonly leaderboardId: number;
}

/** Part of MongoDB's keys: never change the format. */
export function boardId({ titleId, leaderboardId }: BoardKey): string {
  return `${titleId} ${leaderboardId}`;
}

/** @param id a {@link boardId} */
export function boardKeyOf(id: string): BoardKey {
  const [titleId = '', leaderboardId] = id.split(' ');
  return { titleId, leaderboardId: Number(leaderboardId) };
}

export interface ChangeLog {
  /** Grows with every commit of boards or users and with every projection step. */
  readonly revision: number;
  readonly lastId: number;
  readonly lastChangedAt: EpochSeconds;
}

export interface BoardContent {
  readonly name: string;
  readonly isTime: boolean;
  readonly entries: readonly Entry[];
}

export interface BoardState extends BoardKey {
  readonly name: string;
  readonly isTime: boolean;
  readonly entryCount: number;
  /** Not listed; stored in case the board returns. */
  readonly gone: boolean;
  /** 1 at the first observation; grows with each changing commit. */
  readonly version: number;
  /** Observations of this pass or an earlier one are ignored. */
  readonly pass: EpochSeconds;
  readonly changedAt: EpochSeconds;
  readonly observedAt: EpochSeconds;
}

/** A board was seen unchanged. */
export interface BoardConfirmation extends BoardKey {
  readonly pass: EpochSeconds;
  readonly seenAt: EpochSeconds;
}

export interface BoardObservation extends BoardConfirmation {
  readonly name: string;
  readonly board: Pick<BoardContent, 'isTime' | 'entries'> | null;
}

/** Drops lone surrogates, which UTF-8 can not carry and would look like changes, and times on score boards. */
export function contentOf({ name, board }: Pick<BoardObservation, 'name' | 'board'>): BoardContent | null {
  if (board === null) return null;
  const { isTime } = board;
  const entries = board.entries.map((entry): Entry => ({
    rank: entry.rank,
    name: entry.name.toWellFormed(),
    rating: entry.rating.toWellFormed(),
    timeMs: isTime ? entry.timeMs : 0,
  }));
  return { name: name.toWellFormed(), isTime, entries };
}

/** A time, or a score regardless of its formatting. */
export function comparableValue(
  { timeMs, rating }: Pick<Entry, 'timeMs' | 'rating'>,
  isTime: boolean,
): number | string {
  return isTime ? timeMs : rating.replace(/\s+|(?<=\d)[,'’](?=\d{3}(?!\d))/gu, '');
}

/** Score entries have no time. */
export function ratingView({ rating, timeMs }: Pick<Entry, 'rating' | 'timeMs'>, isTime: boolean) {
  return isTime
    ? { rating, timeMs, timeFormatted: formatRaceTime(timeMs), isTime }
    : { rating, timeMs: 0, timeFormatted: '', isTime };
}

import { formatTimestamp, type Change, type ChangeType, type EpochSeconds } from '@lobbystats/contracts';
import { boardId, comparableValue, type BoardKey, type Entry } from '../boards/board.ts';
import type { TitleView } from '../titles/title-view.ts';

/** The entry that a record has beaten: of another player, or the player's own. */
export type Beaten = Pick<Entry, 'name' | 'rating' | 'timeMs'>;

export interface StoredChange extends BoardKey {
  readonly id: number;
  readonly type: ChangeType;
  readonly playerName: string;
  readonly isTime: boolean;
  readonly oldRank: number | null;
  readonly newRank: number | null;
  readonly oldRating: string | null;
  readonly newRating: string | null;
  readonly oldTimeMs: number | null;
  readonly newTimeMs: number | null;
  readonly changedAt: EpochSeconds;
  /** Null: it is no record. */
  readonly beaten: Beaten | null;
}

/** When an entry was first found with its rating; undefined: before the known changes. @param changes newest first */
export function foundSince(
  entry: Entry,
  isTime: boolean,
  changes: readonly StoredChange[],
  until: EpochSeconds = Infinity,
): EpochSeconds | undefined {
  const value = comparableValue(entry, isTime);
  return changes.find(
    ({ playerName, changedAt, newRating, newTimeMs }) =>
      playerName === entry.name &&
      changedAt <= until &&
      newRating !== null &&
      comparableValue({ rating: newRating, timeMs: newTimeMs ?? 0 }, isTime) === value,
  )?.changedAt;
}

/** `names`: of the leaderboards, by `boardId`. */
export function changeViews(
  changes: readonly StoredChange[],
  titles: TitleView,
  names: ReadonlyMap<string, string>,
): Change[] {
  return changes.map((stored) => ({
    id: stored.id,
    type: stored.type,
    titleId: stored.titleId,
    gameName: titles.get(stored.titleId)?.title.name ?? '',
    leaderboardId: stored.leaderboardId,
    leaderboardName: names.get(boardId(stored)) ?? '',
    playerName: stored.playerName,
    isTime: stored.isTime,
    oldRank: stored.oldRank,
    newRank: stored.newRank,
    oldRating: stored.oldRating,
    newRating: stored.newRating,
    oldTimeMs: stored.oldTimeMs,
    newTimeMs: stored.newTimeMs,
    changedAt: formatTimestamp(stored.changedAt),
  }));
}

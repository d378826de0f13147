import { formatRaceTime, type EpochSeconds } from '@lobbystats/contracts';
import type { Entry } from './board.ts';
import type { StoredChange } from './board-store.ts';

/** A time, or a score regardless of its formatting. */
export function comparableValue(
  { timeMs, rating }: Pick<Entry, 'timeMs' | 'rating'>,
  isTime: boolean,
): number | string {
  return isTime ? timeMs : rating.replace(/\s+|(?<=\d)[,'’](?=\d{3}(?!\d))/gu, '');
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

/** Score entries have no time. */
export function ratingView({ rating, timeMs }: Pick<Entry, 'rating' | 'timeMs'>, isTime: boolean) {
  return isTime
    ? { rating, timeMs, timeFormatted: formatRaceTime(timeMs), isTime }
    : { rating, timeMs: 0, timeFormatted: '', isTime };
}

export function entryView(entry: Entry, isTime: boolean) {
  return { rank: String(entry.rank), name: entry.name, ...ratingView(entry, isTime) };
}

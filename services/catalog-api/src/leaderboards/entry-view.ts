import { formatRaceTime } from '@lobbystats/contracts';
import type { Entry } from './board.ts';

/** Score entries have no time. */
export function ratingView({ rating, timeMs }: Pick<Entry, 'rating' | 'timeMs'>, isTime: boolean) {
  return isTime
    ? { rating, timeMs, timeFormatted: formatRaceTime(timeMs), isTime }
    : { rating, timeMs: 0, timeFormatted: '', isTime };
}

export function entryView(entry: Entry, isTime: boolean) {
  return { rank: String(entry.rank), name: entry.name, ...ratingView(entry, isTime) };
}

import { formatRaceTime } from '@lobbystats/contracts/race-time';
import { formatValue } from '../plots/plot-texts.ts';

/** An entry as the API has it; for the browser, too. */
export interface Entry {
  readonly rank: string;
  readonly name: string;
  readonly rating: string;
  readonly timeMs: number;
  readonly timeFormatted: string;
  readonly isTime: boolean;
}

type Rating = Pick<Entry, 'rating' | 'timeMs' | 'isTime'>;

/** Undefined for the same rating, and for ratings that are no numbers. */
export function distanceOf(entry: Rating, other: Rating): string | undefined {
  if (entry.isTime !== other.isTime) return undefined;
  const distance = entry.isTime
    ? Math.abs(entry.timeMs - other.timeMs)
    : Math.abs(scoreOf(entry.rating) - scoreOf(other.rating));
  if (distance === 0 || Number.isNaN(distance)) return undefined;
  if (!entry.isTime) return formatValue(distance);
  return distance < MINUTE_MS ? `${(distance / 1000).toFixed(3)} s` : formatRaceTime(distance);
}

const MINUTE_MS = 60_000;

/** Follows the distance to a better entry. */
export function betterText({ isTime }: Pick<Entry, 'isTime'>): string {
  return isTime ? 'faster' : 'more';
}

/** NaN unless it is a number, with or without separators of thousands. */
export function scoreOf(rating: string): number {
  return /^-?\d+(,\d{3})*(\.\d+)?$/.test(rating) ? Number(rating.replaceAll(',', '')) : Number.NaN;
}

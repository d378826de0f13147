import type { BoardContent, Entry } from './board.ts';
import type { Beaten } from './board-store.ts';
import type { EntryChange } from './diff-board.ts';
import { comparableValue } from './entry-values.ts';

/**
 * The first entry of a leaderboard if a change takes rank 1 by a better rating than all that were known of it, which is a
 * record; else null. Neither a tie nor a reset is one, nor another spelling of a name or rating, nor who is next when the
 * first one is removed.
 */
export function beatenBy(
  { newRank, newRating, newTimeMs }: EntryChange,
  before: Pick<BoardContent, 'isTime' | 'entries'> | undefined,
): Beaten | null {
  const { isTime = false, entries = [] } = before ?? {};
  const [first] = entries;
  if (newRank !== 1 || newRating === null || first === undefined) return null;
  const value = numberOf({ rating: newRating, timeMs: newTimeMs ?? 0 }, isTime);
  const known = entries.map((entry) => numberOf(entry, isTime));
  const isBetter = isTime || isAscending(known) ? (one: number) => value < one : (one: number) => value > one;
  return known.every(isBetter) ? { name: first.name, rating: first.rating, timeMs: first.timeMs } : null;
}

/** Whether less is better on a board of scores: the network's order tells. */
function isAscending(values: readonly number[]): boolean {
  return (values.at(-1) ?? 0) > (values[0] ?? 0);
}

/** NaN for a rating that is no number, which is never a record. */
function numberOf(entry: Pick<Entry, 'rating' | 'timeMs'>, isTime: boolean): number {
  const value = comparableValue(entry, isTime);
  return typeof value === 'number' ? value : Number(/^[-+]?\d+(?:\.\d+)?/.exec(value)?.[0] ?? NaN);
}

import type { Journal } from './journal.ts';

/** How much of the log is kept. */
export interface RetentionLimits {
  readonly maxAgeMs: number;
  /** Of all bodies together. */
  readonly maxBytes: number;
  /** So many of the newest stay whatever their age and size. */
  readonly minFacts: number;
}

/** 7 days, at most 1 GB, never under the last 1,000 facts. */
const retentionLimits: RetentionLimits = { maxAgeMs: 7 * 86_400_000, maxBytes: 1e9, minFacts: 1000 };

/** Where a fact stands in the log: `storedAt` in epoch milliseconds, the bytes as if all bodies ever logged stood in one file. */
export interface FactPlace {
  readonly offset: number;
  readonly storedAt: number;
  readonly startByte: number;
  readonly endByte: number;
}

/** How many facts leave at most in one go, so that no commit becomes long. Must be above the facts between two goes. */
const CHUNK = 512;

const PLACES = `
  SELECT log_offset AS offset, stored_at AS storedAt, end_byte - octet_length(body) AS startByte, end_byte AS endByte
  FROM fact ORDER BY log_offset`;

/**
 * Lets the oldest facts go that needn't be kept, a chunk of them at a time.
 *
 * @param now epoch milliseconds
 */
export function trimLog({ store }: Journal, now: number, limits: RetentionLimits = retentionLimits): void {
  const newest = store.get<FactPlace>(`${PLACES} DESC LIMIT 1`);
  if (newest === undefined) return;
  const last = lastToDrop(store.all<FactPlace>(`${PLACES} LIMIT ?`, CHUNK), newest, now, limits);
  if (last !== undefined) store.run('DELETE FROM fact WHERE log_offset <= ?', last);
}

/** The offset of the last of the oldest facts to drop, all before it included, or undefined when all must stay. */
export function lastToDrop(
  oldest: readonly FactPlace[],
  newest: FactPlace,
  now: number,
  { maxAgeMs, maxBytes, minFacts }: RetentionLimits,
): number | undefined {
  const mustStay = ({ offset, storedAt, startByte }: FactPlace): boolean =>
    newest.offset - offset < minFacts || (storedAt >= now - maxAgeMs && newest.endByte - startByte <= maxBytes);
  const firstToStay = oldest.findIndex(mustStay);
  return oldest[(firstToStay === -1 ? oldest.length : firstToStay) - 1]?.offset;
}

import type { Journal } from './journal.ts';

export interface RetentionLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  /** Kept whatever their age and size. */
  readonly minFacts: number;
}

const retentionLimits: RetentionLimits = { maxAgeMs: 7 * 86_400_000, maxBytes: 1e9, minFacts: 1000 };

/** `storedAt` in epoch milliseconds; bytes as a running total. */
export interface FactExtent {
  readonly offset: number;
  readonly storedAt: number;
  readonly startByte: number;
  readonly endByte: number;
}

const CHUNK_SIZE = 512;

const SELECT_EXTENTS = `
  SELECT log_offset AS offset, stored_at AS storedAt, end_byte - octet_length(body) AS startByte, end_byte AS endByte
  FROM fact ORDER BY log_offset`;

/**
 * Drops expired facts in chunks.
 *
 * @param now epoch milliseconds
 */
export function trimLog({ store }: Journal, now: number, limits: RetentionLimits = retentionLimits): void {
  const newest = store.get<FactExtent>(`${SELECT_EXTENTS} DESC LIMIT 1`);
  if (newest === undefined) return;
  const last = lastExpiredOffset(store.all<FactExtent>(`${SELECT_EXTENTS} LIMIT ?`, CHUNK_SIZE), newest, now, limits);
  if (last !== undefined) store.run('DELETE FROM fact WHERE log_offset <= ?', last);
}

/** Undefined when nothing is to be dropped. */
export function lastExpiredOffset(
  oldest: readonly FactExtent[],
  newest: FactExtent,
  now: number,
  { maxAgeMs, maxBytes, minFacts }: RetentionLimits,
): number | undefined {
  const mustStay = ({ offset, storedAt, startByte }: FactExtent): boolean =>
    newest.offset - offset < minFacts || (storedAt >= now - maxAgeMs && newest.endByte - startByte <= maxBytes);
  const firstToStay = oldest.findIndex(mustStay);
  return oldest[(firstToStay === -1 ? oldest.length : firstToStay) - 1]?.offset;
}

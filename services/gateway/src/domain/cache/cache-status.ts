/** Who speaks in `Cache-Status`. */
const CACHE = 'lobbystats';

/** Given from what is kept, and true as far as anybody knows. */
export const HIT = `${CACHE}; hit`;

/**
 * Given from what is kept though it may no longer be true: a new one is being made, or can't be had.
 *
 * @param staleSeconds since when it may no longer be true
 */
export function staleHit(staleSeconds: number, why: 'refreshing' | 'unavailable'): string {
  return `${CACHE}; hit; ttl=-${staleSeconds}; detail=${why}`;
}

/** Why an owner was asked: RFC 9211, section 2.2. */
export type Reason = 'bypass' | 'method' | 'uri-miss' | 'stale';

/** What a forwarded request came to beside its answer. */
export interface Forwarded {
  /** Whether it shared the flight of another. */
  readonly isCollapsed?: boolean;
  readonly isStored?: boolean;
}

/** An owner was asked. */
export function forwarded(reason: Reason, { isCollapsed = false, isStored = false }: Forwarded = {}): string {
  return `${CACHE}; fwd=${reason}${isStored ? '; stored' : ''}${isCollapsed ? '; collapsed' : ''}`;
}

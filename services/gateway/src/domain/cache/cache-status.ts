const CACHE = 'lobbystats';

export const HIT = `${CACHE}; hit`;

/**
 * Served while a new answer is fetched or the upstream is unavailable.
 *
 * @param staleSeconds since when it may no longer be true
 */
export function staleHit(staleSeconds: number, why: 'refreshing' | 'unavailable'): string {
  return `${CACHE}; hit; ttl=-${staleSeconds}; detail=${why}`;
}

/** RFC 9211, section 2.2. */
export type Reason = 'bypass' | 'method' | 'uri-miss' | 'stale';

/** What a forwarded request came to beside its answer. */
export interface Forwarded {
  /** Whether it shared another request's fetch. */
  readonly isCollapsed?: boolean;
  readonly isStored?: boolean;
}

export function forwarded(reason: Reason, { isCollapsed = false, isStored = false }: Forwarded = {}): string {
  return `${CACHE}; fwd=${reason}${isStored ? '; stored' : ''}${isCollapsed ? '; collapsed' : ''}`;
}

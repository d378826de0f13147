const CACHE = 'lobbystats';

export const HIT = `${CACHE}; hit`;

/**
 * A stale entry served while a new response is fetched or the upstream is unavailable.
 *
 * @param staleSeconds seconds since it became stale
 */
export function staleHit(staleSeconds: number, why: 'refreshing' | 'unavailable'): string {
  return `${CACHE}; hit; ttl=-${staleSeconds}; detail=${why}`;
}

/** RFC 9211, section 2.2. */
export type Reason = 'bypass' | 'method' | 'uri-miss' | 'stale';

export interface Forwarded {
  /** Whether it joined the fetch of another request. */
  readonly isCollapsed?: boolean;
  readonly isStored?: boolean;
}

export function forwarded(reason: Reason, { isCollapsed = false, isStored = false }: Forwarded = {}): string {
  return `${CACHE}; fwd=${reason}${isStored ? '; stored' : ''}${isCollapsed ? '; collapsed' : ''}`;
}

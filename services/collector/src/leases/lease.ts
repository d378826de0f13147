/** Expires by itself, so a dead holder blocks nothing. Taken again to renew. */
export interface Lease {
  holder: string;
  nowMs: number;
  untilMs: number;
}

export type Leases = () => Lease;

/** Renewed three times as often. */
const LEASE_MS = 15_000;

export function leasesOf(holder: string, clock: () => number): Leases {
  return () => {
    const nowMs = clock();
    return { holder, nowMs, untilMs: nowMs + LEASE_MS };
  };
}

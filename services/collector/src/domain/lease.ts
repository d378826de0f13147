/**
 * A claim on a piece of work that ends by itself: who has it may work until `untilMs`, and takes it again to go on. A
 * holder that dies holds nothing up for longer.
 */
export interface Lease {
  /** Who takes it: one name for each running instance. */
  holder: string;
  /** Now, in epoch milliseconds: a lease that ends later than this is not free. */
  nowMs: number;
  /** When it ends, in epoch milliseconds. */
  untilMs: number;
}

/** Makes leases of one holder. */
export type Leases = () => Lease;

/** How long a lease lasts; it is taken again three times as often. */
const LEASE_MS = 15_000;

/** The leases of a holder, each from now on. */
export function leasesOf(holder: string, clock: () => number): Leases {
  return () => {
    const nowMs = clock();
    return { holder, nowMs, untilMs: nowMs + LEASE_MS };
  };
}

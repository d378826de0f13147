import type { Lease } from '../../domain/lease.ts';

/** The fields that a lease has in a document. Whole milliseconds, by the takers' clocks. */
export interface Leased {
  holder: string | null;
  leaseUntilMs: number;
}

/** What a document has once the lease is taken. */
export function leasedTo({ holder, untilMs }: Pick<Lease, 'holder' | 'untilMs'>): Leased {
  return { holder, leaseUntilMs: Math.floor(untilMs) };
}

/** The documents whose lease is free, over, or the taker's own. */
export function mayTake({ holder, nowMs }: Lease) {
  return { $or: [{ holder: null }, { holder }, { leaseUntilMs: { $lte: Math.floor(nowMs) } }] };
}

import type { Lease } from './lease.ts';

/** Lease fields of a document, in whole milliseconds of the holder's clock. */
export interface Leased {
  holder: string | null;
  leaseUntilMs: number;
}

export function leasedTo({ holder, untilMs }: Pick<Lease, 'holder' | 'untilMs'>): Leased {
  return { holder, leaseUntilMs: Math.floor(untilMs) };
}

/** Filter for documents whose lease is free, expired or the holder's own. */
export function leaseAvailableTo({ holder, nowMs }: Lease) {
  return { $or: [{ holder: null }, { holder }, { leaseUntilMs: { $lte: Math.floor(nowMs) } }] };
}

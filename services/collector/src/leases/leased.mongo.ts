import type { MongoStore } from '@lobbystats/mongo-store';
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

export function leasedDocument(store: MongoStore, collection: string, _id: string) {
  const rows = store.collection<Leased & { _id: string }>(collection);
  return {
    take: (lease: Lease): Promise<boolean> =>
      store.run(async () => {
        const { matchedCount } = await rows.updateOne({ _id, ...leaseAvailableTo(lease) }, { $set: leasedTo(lease) });
        return matchedCount === 1;
      }),

    async release(holder: string): Promise<void> {
      await store.run(() => rows.updateOne({ _id, holder }, { $set: { holder: null } }));
    },
  };
}

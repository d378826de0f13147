import type { CollectorStore } from '../src/database/collector-store.ts';
import type { Lease } from '../src/leases/lease.ts';

/** Opens one fresh store twice, as two replicas do. */
export type OpenReplicas = () => Promise<[CollectorStore, CollectorStore]>;

/** Epoch milliseconds. */
export const NOW = 1_800_000_000_000;

/** A lease of 15 s, by default from a fixed instant on. */
export const lease = (holder: string, nowMs = NOW): Lease => ({ holder, nowMs, untilMs: nowMs + 15_000 });

/** Opens a store twice for each test, and closes it. */
export function twoReplicas(openTwo: OpenReplicas): { readonly store: CollectorStore; readonly other: CollectorStore } {
  let opened: [CollectorStore, CollectorStore] | undefined;
  const get = (index: 0 | 1): CollectorStore => {
    if (opened === undefined) throw new Error('only within a test');
    return opened[index];
  };
  beforeEach(async () => {
    opened = await openTwo();
  });
  afterEach(async () => {
    for (const one of opened ?? []) await one.close();
  });
  return {
    get store() {
      return get(0);
    },
    get other() {
      return get(1);
    },
  };
}

/** The lease methods of a backfill store. */
interface LeasedBackfill {
  take(lease: Lease): Promise<boolean>;
  release(holder: string): Promise<void>;
}

/** Contract of the lease of every backfill store. */
export function itHasAnExclusiveLease(
  openBackfills: () => { mine: LeasedBackfill; others: LeasedBackfill; begin: () => Promise<unknown> },
): void {
  it('grants the backfill lease to one replica at a time', async () => {
    const { mine, others, begin } = openBackfills();
    expect(await mine.take(lease('ada'))).toBe(false);
    await begin();
    expect(await mine.take(lease('ada'))).toBe(true);
    expect(await others.take(lease('bob'))).toBe(false);
    await others.release('bob');
    expect(await others.take(lease('bob'))).toBe(false);
    await mine.release('ada');
    expect(await others.take(lease('bob'))).toBe(true);
    expect(await mine.take(lease('ada', NOW + 15_000))).toBe(true);
  });
}

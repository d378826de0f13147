import type { CollectorStore } from '../src/collector-store.ts';

/** Opens one fresh store twice, as two replicas do. */
export type OpenReplicas = () => Promise<[CollectorStore, CollectorStore]>;

/** Epoch milliseconds. */
export const NOW = 1_800_000_000_000;

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

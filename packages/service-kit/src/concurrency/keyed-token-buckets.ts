import { LRUCache } from 'lru-cache';
import { DebtTokenBucket, type DebtTokenBucketOptions } from './debt-token-bucket.ts';

/** A {@link DebtTokenBucket} of each key. Those that were not used for the longest time are dropped. */
export class KeyedTokenBuckets {
  readonly #buckets: LRUCache<string, DebtTokenBucket>;

  constructor(options: DebtTokenBucketOptions, max = 10_000) {
    this.#buckets = new LRUCache({ max, memoMethod: () => new DebtTokenBucket(options) });
  }

  of(key: string): DebtTokenBucket {
    return this.#buckets.memo(key);
  }
}

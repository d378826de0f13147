import { DebtTokenBucket, type DebtTokenBucketOptions } from './debt-token-bucket.ts';

/** A {@link DebtTokenBucket} of each key. Those that were not used for the longest time are dropped. */
export class KeyedTokenBuckets {
  readonly #options: DebtTokenBucketOptions;
  readonly #max: number;
  readonly #buckets = new Map<string, DebtTokenBucket>();

  constructor(options: DebtTokenBucketOptions, max = 10_000) {
    this.#options = options;
    this.#max = max;
  }

  of(key: string): DebtTokenBucket {
    const bucket = this.#buckets.get(key) ?? new DebtTokenBucket(this.#options);
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > this.#max && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }
}

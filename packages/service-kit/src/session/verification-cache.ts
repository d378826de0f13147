import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Verification } from './auth-service.ts';

export interface VerificationCacheOptions {
  clock: () => number;
  ttlMs: number;
  requiredTtlMs: number;
  trustMs: number;
  maxEntries: number;
}

interface CacheEntry {
  readonly verdict: Verification;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Verifications by a keyed hash of the key; the secret lives as long as the process. Valid and invalid entries are
 * separate, so that made-up keys evict no valid one.
 */
export class VerificationCache {
  readonly #options: VerificationCacheOptions;
  readonly #secret = createSecretKey(randomBytes(32));
  readonly #valid: LRUCache<string, CacheEntry>;
  readonly #invalid: LRUCache<string, CacheEntry>;

  constructor(options: VerificationCacheOptions) {
    this.#options = options;
    this.#valid = new LRUCache({ max: options.maxEntries });
    this.#invalid = new LRUCache({ max: options.maxEntries });
  }

  fingerprint(key: string): string {
    return createHmac('sha256', this.#secret).update(key).digest('base64');
  }

  /** A valid entry expires sooner where a session is required. */
  get(mark: string, need: 'optional' | 'required'): Verification | undefined {
    const { ttlMs, requiredTtlMs } = this.#options;
    const valid = this.#valid.get(mark);
    if (valid !== undefined) return this.#ifFresh(valid, need === 'required' ? requiredTtlMs : ttlMs);
    const invalid = this.#invalid.get(mark);
    return invalid && this.#ifFresh(invalid, ttlMs);
  }

  isTrusted(mark: string): boolean {
    const valid = this.#valid.peek(mark);
    return valid !== undefined && this.#isWithin(valid.at, this.#options.trustMs);
  }

  /** `at`: epoch milliseconds of the request, since the response may lack later changes. */
  set(mark: string, verdict: Verification, at: number): void {
    const entry = { verdict, at };
    if (verdict.caller === null) {
      this.#valid.delete(mark);
      this.#invalid.set(mark, entry);
    } else {
      this.#invalid.delete(mark);
      this.#valid.set(mark, entry);
    }
  }

  #ifFresh({ verdict, at }: CacheEntry, ms: number): Verification | undefined {
    return this.#isWithin(at, ms) ? verdict : undefined;
  }

  /** Entries from the future are expired: the clock was set back. */
  #isWithin(at: number, ms: number): boolean {
    const age = this.#options.clock() - at;
    return age >= 0 && age < ms;
  }
}

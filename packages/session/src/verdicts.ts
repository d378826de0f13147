import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Verdict } from './auth-service.ts';

export interface VerdictsOptions {
  clock: () => number;
  keepMs: number;
  keepRequiredMs: number;
  rememberMs: number;
  max: number;
}

interface Kept {
  readonly verdict: Verdict;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Verdicts by a keyed hash of the key; the secret lives as long as the process. Valid and invalid ones are separate, so
 * that made-up keys evict no valid one.
 */
export class Verdicts {
  readonly #options: VerdictsOptions;
  readonly #secret = createSecretKey(randomBytes(32));
  readonly #valid: LRUCache<string, Kept>;
  readonly #invalid: LRUCache<string, Kept>;

  constructor(options: VerdictsOptions) {
    this.#options = options;
    this.#valid = new LRUCache({ max: options.max });
    this.#invalid = new LRUCache({ max: options.max });
  }

  markOf(key: string): string {
    return createHmac('sha256', this.#secret).update(key).digest('base64');
  }

  /** A valid verdict expires sooner where a session is required. */
  find(mark: string, need: 'optional' | 'required'): Verdict | undefined {
    const { keepMs, keepRequiredMs } = this.#options;
    const valid = this.#valid.get(mark);
    if (valid !== undefined) return this.#verdictWithin(valid, need === 'required' ? keepRequiredMs : keepMs);
    const invalid = this.#invalid.get(mark);
    return invalid && this.#verdictWithin(invalid, keepMs);
  }

  isTrusted(mark: string): boolean {
    const valid = this.#valid.peek(mark);
    return valid !== undefined && this.#isWithin(valid.at, this.#options.rememberMs);
  }

  /** `at`: epoch milliseconds of the request; the verdict may lack later changes. */
  keep(mark: string, verdict: Verdict, at: number): void {
    const kept = { verdict, at };
    if (verdict.caller === null) {
      this.#valid.delete(mark);
      this.#invalid.set(mark, kept);
    } else {
      this.#invalid.delete(mark);
      this.#valid.set(mark, kept);
    }
  }

  #verdictWithin({ verdict, at }: Kept, ms: number): Verdict | undefined {
    return this.#isWithin(at, ms) ? verdict : undefined;
  }

  /** A clock that was set back extends nothing. */
  #isWithin(at: number, ms: number): boolean {
    const age = this.#options.clock() - at;
    return age >= 0 && age < ms;
  }
}

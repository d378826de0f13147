import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Verdict } from './auth-service.ts';

export interface VerdictsOptions {
  /** Epoch milliseconds. */
  clock: () => number;
  /** How long a verdict holds, in milliseconds. */
  keepMs: number;
  /** How long the verdict that a key is valid holds where a session is required, in milliseconds. */
  keepRequiredMs: number;
  /** How long a valid key stays trusted, in milliseconds. */
  rememberMs: number;
  /** Verdicts of each kind that are kept. */
  max: number;
}

interface Kept {
  readonly verdict: Verdict;
  /** When it was asked for, in epoch milliseconds. */
  readonly at: number;
}

/**
 * What has been said of keys. The keys themselves are not kept: what stands for one is made with a secret that lives as long
 * as the process. Valid and other ones are kept apart, so that made-up keys push out no valid one.
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

  /** What stands for a key in this process. */
  markOf(key: string): string {
    return createHmac('sha256', this.#secret).update(key).digest('base64');
  }

  /** What was said of a key, while that holds: for whom a session is required, a yes holds for a shorter time. */
  find(mark: string, need: 'optional' | 'required'): Verdict | undefined {
    const { keepMs, keepRequiredMs } = this.#options;
    const valid = this.#valid.get(mark);
    if (valid !== undefined) return this.#verdictWithin(valid, need === 'required' ? keepRequiredMs : keepMs);
    const invalid = this.#invalid.get(mark);
    return invalid && this.#verdictWithin(invalid, keepMs);
  }

  /** Whether the last verdict on a key, some hours old at most, was that it is valid. */
  isTrusted(mark: string): boolean {
    const valid = this.#valid.peek(mark);
    return valid !== undefined && this.#isWithin(valid.at, this.#options.rememberMs);
  }

  /** @param at when it was asked for, in epoch milliseconds: what became of the key since then may not be in it */
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

  /** A clock that was set back makes nothing hold longer. */
  #isWithin(at: number, ms: number): boolean {
    const age = this.#options.clock() - at;
    return age >= 0 && age < ms;
  }
}

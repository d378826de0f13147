export interface DebtTokenBucketOptions {
  /** Long-term share of the time, above 0 and at most 1. */
  share: number;
  /** Largest credit, in milliseconds. */
  burstMs: number;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

/**
 * A token bucket that may go below zero, since a query's time is known only afterwards. In any time T at most `share · T
 * + burstMs` plus the last query is used.
 */
export class DebtTokenBucket {
  readonly #options: DebtTokenBucketOptions;
  #balanceMs: number;
  #asOf: number;

  constructor(options: DebtTokenBucketOptions) {
    this.#options = options;
    this.#balanceMs = options.burstMs;
    this.#asOf = options.now();
  }

  retryAfterMs(): number {
    this.#refill();
    return Math.max(0, Math.ceil(-this.#balanceMs / this.#options.share));
  }

  /** Charges used time, in milliseconds. */
  charge(ms: number): void {
    this.#refill();
    this.#balanceMs -= ms;
  }

  /** Gives nothing in the next milliseconds. */
  block(ms: number): void {
    this.#refill();
    if (ms > 0) this.#balanceMs = Math.min(this.#balanceMs, -ms * this.#options.share);
  }

  #refill(): void {
    const { share, burstMs, now } = this.#options;
    const at = now();
    this.#balanceMs = Math.min(burstMs, this.#balanceMs + Math.max(at - this.#asOf, 0) * share);
    this.#asOf = at;
  }
}

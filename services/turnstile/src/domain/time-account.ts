export interface TimeAccountOptions {
  /** Long-term share of the time, above 0 and at most 1. */
  share: number;
  /** Largest credit, in milliseconds. */
  savingsMs: number;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

/**
 * A token bucket that may go below zero, since a query's time is known only afterwards. In any time T at most `share · T
 * + savingsMs` plus the last query is used.
 */
export class TimeAccount {
  readonly #options: TimeAccountOptions;
  #balanceMs: number;
  #asOf: number;

  constructor(options: TimeAccountOptions) {
    this.#options = options;
    this.#balanceMs = options.savingsMs;
    this.#asOf = options.now();
  }

  debtMs(): number {
    this.#settle();
    return Math.max(0, Math.ceil(-this.#balanceMs / this.#options.share));
  }

  /** Charges used time, in milliseconds. */
  pay(ms: number): void {
    this.#settle();
    this.#balanceMs -= ms;
  }

  #settle(): void {
    const { share, savingsMs, now } = this.#options;
    const at = now();
    this.#balanceMs = Math.min(savingsMs, this.#balanceMs + (at - this.#asOf) * share);
    this.#asOf = at;
  }
}

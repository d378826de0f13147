export interface TimeAccountOptions {
  /** What part of the time may be used, in the long run: above 0, at most 1. */
  share: number;
  /** The most that is put by while nothing is used, in milliseconds. */
  savingsMs: number;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

/**
 * Time that is earned by waiting and paid for afterwards, because nobody knows before how long a use takes: a token bucket that
 * may go below zero. Over any time T at most `share · T + savingsMs` is used, and what was begun last.
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

  /** How long it takes until what was used is paid for, in milliseconds; 0: it is. */
  debtMs(): number {
    this.#settle();
    return Math.max(0, Math.ceil(-this.#balanceMs / this.#options.share));
  }

  /** Pays for what was used, in milliseconds. */
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

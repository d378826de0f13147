/** A failed attempt. */
interface Failure {
  readonly at: number;
  readonly why: string;
}

/** When attempts of one kind succeeded and failed, in milliseconds of `performance.now()`. */
export class Interruptions {
  readonly #successes: number[] = [];
  readonly #failures: Failure[] = [];

  succeed(): void {
    this.#successes.push(performance.now());
  }

  fail(why: string): void {
    this.#failures.push({ at: performance.now(), why });
  }

  get count(): number {
    return this.#successes.length;
  }

  /** The longest time without a success, from `fromMs` on. */
  longestMs(fromMs: number): number {
    const before = this.#successes.findLast((at) => at <= fromMs) ?? fromMs;
    const times = [before, ...this.#successes.filter((at) => at > fromMs), performance.now()];
    return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
  }

  failuresSince(fromMs: number): string[] {
    return this.#failures.filter(({ at }) => at >= fromMs).map(({ why }) => why);
  }
}

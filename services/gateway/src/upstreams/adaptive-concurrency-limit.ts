/** Below this concurrency, slow responses have other causes than overload. */
const MIN_CONCURRENCY_TO_ADAPT = 32;
const MIN_LIMIT = 8;
/** Growth factor of the limit for each second without a slow response. */
const GROWTH_PER_SECOND = 1.15;

/**
 * An adaptive concurrency limit. An overloaded server slows every request; once latency exceeds the client's timeout,
 * all its work is wasted. By Little's law, concurrency = throughput × latency: a slow sample at a concurrency gives the
 * limit that would have met the target latency. The limit then grows with time.
 */
export class AdaptiveConcurrencyLimit {
  readonly #max: number;
  readonly #targetMs: number;
  readonly #now: () => number;
  #limit: number;
  #limitedAtMs = 0;
  #active = 0;

  /**
   * @param most maximum limit
   * @param withinMs target latency; `Infinity` for a constant limit
   * @param now monotonic clock in milliseconds
   */
  constructor(most: number, withinMs: number, now: () => number = () => performance.now()) {
    this.#max = most;
    this.#targetMs = withinMs;
    this.#now = now;
    this.#limit = most;
  }

  /** Acquires a permit: its ordinal, counted from 1; 0 when none is free. Release each permit once. */
  tryAcquire(): number {
    if (this.#active >= this.#limit && this.#active >= this.#currentLimit()) return 0;
    this.#active += 1;
    return this.#active;
  }

  /** Acquires one more permit for a request that holds one, even above the limit. */
  acquireExtra(): void {
    this.#active += 1;
  }

  /** Whether a permit is still within the limit, which may have shrunk meanwhile. */
  isAdmitted(permit: number): boolean {
    return permit <= this.#limit || permit <= this.#currentLimit();
  }

  release(): void {
    this.#active -= 1;
  }

  /** Records a latency sample or timeout, and lowers the limit if it was too slow. */
  recordSample(ms: number, permit: number): void {
    if (ms <= this.#targetMs) return;
    const limit = this.#currentLimit();
    if (permit < Math.min(MIN_CONCURRENCY_TO_ADAPT, limit / 2)) return;
    this.#limit = Math.max(MIN_LIMIT, Math.min(limit, (permit * this.#targetMs) / ms));
    this.#limitedAtMs = this.#now();
  }

  /** Records that the upstream shed the request: counts as twice the target latency. */
  recordRejection(permit: number): void {
    this.recordSample(2 * this.#targetMs, permit);
  }

  #currentLimit(): number {
    const seconds = (this.#now() - this.#limitedAtMs) / 1000;
    return Math.min(this.#max, this.#limit * GROWTH_PER_SECOND ** seconds);
  }
}

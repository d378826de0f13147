/** Below this concurrency, slow answers have other causes than overload. */
const CROWD = 32;
/** Lower bound of the limit. */
const LEAST = 8;
/** Growth of the limit for each second without a slow answer. */
const GROWTH = 1.15;

/**
 * An adaptive concurrency limit. An overloaded server slows every request; once latency exceeds the client's timeout,
 * all its work is wasted. By Little's law, concurrency = throughput × latency: a slow sample at a concurrency gives the
 * limit that would have met the target latency. The limit then grows with time.
 */
export class AdaptiveLimit {
  readonly #most: number;
  readonly #withinMs: number;
  readonly #now: () => number;
  #limit: number;
  #limitedAtMs = 0;
  #underWay = 0;

  /**
   * @param most at once
   * @param withinMs how long an answer may take; `Infinity`: the limit stays as it is
   * @param now milliseconds of a clock that is never set back
   */
  constructor(most: number, withinMs: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#withinMs = withinMs;
    this.#now = now;
    this.#limit = most;
  }

  /** Acquires a permit: its ordinal, counted from 1; 0 when none is free. Release each permit once. */
  enter(): number {
    if (this.#underWay >= this.#limit && this.#underWay >= this.#grown()) return 0;
    this.#underWay += 1;
    return this.#underWay;
  }

  /** Acquires one more permit for a request that holds one, even above the limit. */
  stay(): void {
    this.#underWay += 1;
  }

  /** Whether a permit is still within the limit, which may have shrunk meanwhile. */
  has(place: number): boolean {
    return place <= this.#limit || place <= this.#grown();
  }

  leave(): void {
    this.#underWay -= 1;
  }

  /** Records a latency sample or timeout, and lowers the limit if it was too slow. */
  took(ms: number, place: number): void {
    if (ms <= this.#withinMs) return;
    const limit = this.#grown();
    if (place < Math.min(CROWD, limit / 2)) return;
    this.#limit = Math.max(LEAST, Math.min(limit, (place * this.#withinMs) / ms));
    this.#limitedAtMs = this.#now();
  }

  /** Records that the upstream shed the request: counts as twice the target latency. */
  refused(place: number): void {
    this.took(2 * this.#withinMs, place);
  }

  #grown(): number {
    const seconds = (this.#now() - this.#limitedAtMs) / 1000;
    return Math.min(this.#most, this.#limit * GROWTH ** seconds);
  }
}

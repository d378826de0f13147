/** Below that many at once slowness has other reasons than the crowd. */
const CROWD = 32;
/** Never fewer at once. */
const LEAST = 8;
/** By how much more may be asked at once with each second in which nothing was slow. */
const GROWTH = 1.15;

/**
 * How many questions somebody may have at once: no more than they answer within a time. Who is asked more than they can do lets
 * all wait for the same time, and once that is longer than anybody waits, works for nobody.
 *
 * By Little's law, what is under way = what is answered a second × how long that takes: an answer that took too long beside so many
 * others says at once how many would have been right. From there the limit grows with time, until something is slow again.
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

  /** The place of one more, counted from 1; 0 where there is none. Each place is left once. */
  enter(): number {
    if (this.#underWay >= this.#limit && this.#underWay >= this.#grown()) return 0;
    this.#underWay += 1;
    return this.#underWay;
  }

  /** Who has a place keeps another beside it, whether or not there is one. */
  stay(): void {
    this.#underWay += 1;
  }

  /** Whether a place that was given is one still. */
  has(place: number): boolean {
    return place <= this.#limit || place <= this.#grown();
  }

  leave(): void {
    this.#underWay -= 1;
  }

  /** Takes to heart how long an answer took, or was waited for in vain, of one that came to this place. */
  took(ms: number, place: number): void {
    if (ms <= this.#withinMs) return;
    const limit = this.#grown();
    if (place < Math.min(CROWD, limit / 2)) return;
    this.#limit = Math.max(LEAST, Math.min(limit, (place * this.#withinMs) / ms));
    this.#limitedAtMs = this.#now();
  }

  /** What came to this place was refused for want of time: it would have taken twice as long as it may. */
  refused(place: number): void {
    this.took(2 * this.#withinMs, place);
  }

  #grown(): number {
    const seconds = (this.#now() - this.#limitedAtMs) / 1000;
    return Math.min(this.#most, this.#limit * GROWTH ** seconds);
  }
}

import { SLOT_SECONDS, slotOf } from '@lobbystats/contracts';

/** Seconds that an answer stays fresh while the next slot is overdue. */
const OVERDUE_SECONDS = 5;

/**
 * How long answers stay true: until the next slot is published, which is expected as long after its beginning as the
 * newest one was.
 */
export class Freshness {
  readonly #now: () => number;
  #slot: number | undefined;
  #nextMs = 0;

  /** @param now epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A slot has become readable. Only the first word on the slot that it is now says when to expect the next. */
  slotPublished(slot: number): void {
    const nowMs = this.#now();
    if (slot === this.#slot || slot !== slotOf(nowMs / 1000)) return;
    this.#slot = slot;
    this.#nextMs = nowMs + SLOT_SECONDS * 1000;
  }

  /**
   * To be called before an answer is made: a slot published while it is made may not be in it.
   *
   * @returns what gives, when the answer is sent, the whole seconds until the slot that was expected next; 5 while it is
   *   overdue or none is expected
   */
  begin(): () => number {
    const nextMs = this.#nextMs;
    return () => {
      const leftMs = nextMs - this.#now();
      // More than a slot: the clock has been set back.
      return leftMs > 0 && leftMs <= SLOT_SECONDS * 1000 ? Math.floor(leftMs / 1000) : OVERDUE_SECONDS;
    };
  }
}

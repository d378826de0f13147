import { SLOT_SECONDS, slotOf } from '@lobbystats/contracts';

/** Seconds that an answer stays fresh while the next slot is overdue. */
export const OVERDUE_SECONDS = 5;

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
   * When the next slot is expected, in epoch milliseconds; in the past while it is overdue or none is expected. To be asked
   * before an answer is made: a slot published while it is made may not be in it.
   */
  nextMs(): number {
    return this.#nextMs;
  }
}

/**
 * The whole seconds until a slot that was expected then; 5 while it is overdue.
 *
 * @param nextMs what {@link Freshness.nextMs} said before the answer was made
 */
export function secondsUntil(nextMs: number, nowMs: number): number {
  return isAhead(nextMs, nowMs) ? Math.floor((nextMs - nowMs) / 1000) : OVERDUE_SECONDS;
}

/** Whether a slot that was expected then is still to come. More than a slot ahead: the clock has been set back. */
export function isAhead(nextMs: number, nowMs: number): boolean {
  const leftMs = nextMs - nowMs;
  return leftMs > 0 && leftMs <= SLOT_SECONDS * 1000;
}

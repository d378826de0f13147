import { SLOT_SECONDS, slotOf } from '@lobbystats/contracts';

/** Seconds that an answer stays fresh while the next slot is overdue. */
export const OVERDUE_SECONDS = 5;

/** Answers are fresh until the next slot is published, expected as long after its start as the newest one was. */
export class Freshness {
  readonly #now: () => number;
  #slot: number | undefined;
  #nextMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Only the current slot's first publication moves the expectation. */
  slotPublished(slot: number): void {
    const nowMs = this.#now();
    if (slot === this.#slot || slot !== slotOf(nowMs / 1000)) return;
    this.#slot = slot;
    this.#nextMs = nowMs + SLOT_SECONDS * 1000;
  }

  /**
   * Epoch milliseconds; in the past while the slot is overdue. Read it before fetching: a slot published meanwhile may
   * not be in the answer.
   */
  nextMs(): number {
    return this.#nextMs;
  }
}

/**
 * Whole seconds until the expected slot; 5 while it is overdue.
 *
 * @param nextMs what {@link Freshness.nextMs} said before the answer was made
 */
export function secondsUntil(nextMs: number, nowMs: number): number {
  return isAhead(nextMs, nowMs) ? Math.floor((nextMs - nowMs) / 1000) : OVERDUE_SECONDS;
}

/** More than a slot ahead means that the clock was set back. */
export function isAhead(nextMs: number, nowMs: number): boolean {
  const leftMs = nextMs - nowMs;
  return leftMs > 0 && leftMs <= SLOT_SECONDS * 1000;
}

import { SLOT_SECONDS, slotOf } from '@lobbystats/contracts';

/** Seconds for which a response is fresh while the next slot is overdue. */
export const OVERDUE_SECONDS = 5;

/** Responses are fresh until the next slot is published, expected as long after its start as the newest one was. */
export class Freshness {
  readonly #now: () => number;
  #slot: number | undefined;
  /**
   * Epoch milliseconds; in the past while the slot is overdue. Read it before fetching: a slot published meanwhile may
   * not be in the response.
   */
  nextMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Updates the expected time of the next slot, at the first publication of the current slot. */
  slotPublished(slot: number): void {
    const nowMs = this.#now();
    if (slot === this.#slot || slot !== slotOf(nowMs / 1000)) return;
    this.#slot = slot;
    this.nextMs = nowMs + SLOT_SECONDS * 1000;
  }

  /** A backfilled slot or a new name came inside a slot, and more may: until the next slot it is as if that were overdue. */
  changedInSlot(): void {
    this.nextMs = 0;
  }
}

/**
 * Whole seconds until the expected slot; 5 while it is overdue.
 *
 * @param nextMs the value of {@link Freshness.nextMs} before the fetch
 */
export function secondsUntil(nextMs: number, nowMs: number): number {
  return isAhead(nextMs, nowMs) ? Math.floor((nextMs - nowMs) / 1000) : OVERDUE_SECONDS;
}

/** More than a slot ahead means that the clock was set back. */
export function isAhead(nextMs: number, nowMs: number): boolean {
  const leftMs = nextMs - nowMs;
  return leftMs > 0 && leftMs <= SLOT_SECONDS * 1000;
}

import { SLOT_SECONDS, slotOf } from '@lobbystats/contracts';

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

  /**
   * Updates the expected time of the next slot.
   *
   * @returns whether it is the first publication of the current slot
   */
  slotPublished(slot: number): boolean {
    const nowMs = this.#now();
    if (slot === this.#slot || slot !== slotOf(nowMs / 1000)) return false;
    this.#slot = slot;
    this.nextMs = nowMs + SLOT_SECONDS * 1000;
    return true;
  }

  /** A backfilled slot or a new name came inside a slot, and more may: until the next slot it is as if that were overdue. */
  changedInSlot(): void {
    this.nextMs = 0;
  }
}

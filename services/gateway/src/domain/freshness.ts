import { SLOT_SECONDS } from '@lobbystats/contracts';

/** Seconds that an answer stays fresh while the next slot is overdue. */
const OVERDUE_SECONDS = 5;

/**
 * How long answers stay true: until the next slot is published, which is expected as long after its beginning as the
 * newest one was.
 */
export class Freshness {
  readonly #now: () => number;
  #expectedMs = 0;

  /** @param now epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A slot has become readable. Late ones and those of the past say nothing about the next. */
  slotPublished(slot: number): void {
    const startMs = slot * 1000;
    const delayMs = this.#now() - startMs;
    if (delayMs < 0 || delayMs >= SLOT_SECONDS * 1000) return;
    this.#expectedMs = Math.max(this.#expectedMs, startMs + SLOT_SECONDS * 1000 + delayMs);
  }

  /** Whole seconds until the next slot's expected publication; 5 while it is overdue or no slot has been seen. */
  maxAgeSeconds(): number {
    const seconds = Math.floor((this.#expectedMs - this.#now()) / 1000);
    return seconds > 0 && seconds <= 2 * SLOT_SECONDS ? seconds : OVERDUE_SECONDS;
  }
}

/**
 * Limit of the bytes of bodies in flight; one body is always admitted. A parsed body takes about ten times its bytes.
 */
export const MAX_IN_FLIGHT_BYTES = 8 * 1024 * 1024;

interface Waiter {
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Bounds the bytes in flight, since prefetch bounds only the number. First in, first out, but urgent deliveries pass the
 * others.
 */
export class InFlightByteLimit {
  readonly #urgent: Waiter[] = [];
  readonly #normal: Waiter[] = [];
  #bytes = 0;
  #isStarting = false;

  /** Calls `start` once the bytes fit into the limit. Each call needs one `release`. */
  acquire(bytes: number, isUrgent: boolean, start: () => void): void {
    (isUrgent ? this.#urgent : this.#normal).push({ bytes, start });
    this.#startWaiting();
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
    this.#startWaiting();
  }

  #startWaiting(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    while (this.#bytes < MAX_IN_FLIGHT_BYTES) {
      const next = this.#urgent.shift() ?? this.#normal.shift();
      if (next === undefined) break;
      this.#bytes += next.bytes;
      next.start();
    }
    this.#isStarting = false;
  }
}

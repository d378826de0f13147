interface Waiter {
  readonly bytes: number;
  readonly start: () => void;
}

/** Bounds the bytes in flight. First in, first out, but urgent items pass the others. */
export class ByteSemaphore {
  readonly #urgent: Waiter[] = [];
  readonly #normal: Waiter[] = [];
  readonly #maxBytes: number;
  #bytes = 0;
  #isStarting = false;

  /** @param maxBytes limit of the bytes in flight; one item is always admitted */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

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
    while (this.#bytes < this.#maxBytes) {
      const next = this.#urgent.shift() ?? this.#normal.shift();
      if (next === undefined) break;
      this.#bytes += next.bytes;
      next.start();
    }
    this.#isStarting = false;
  }
}

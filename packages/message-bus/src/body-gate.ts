/**
 * Bytes of bodies parsed and handled at once; at least one body always passes. Parsed, they take about ten times that.
 */
export const IN_HAND_BYTES_MAX = 8 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * Bounds the bytes in flight, since prefetch bounds only the number. First in, first out, but urgent deliveries pass the
 * others.
 */
export class BodyGate {
  readonly #urgent: Waiting[] = [];
  readonly #others: Waiting[] = [];
  #bytes = 0;
  #isOpening = false;

  /** Calls `begin`, now or when there is room. Each must `leave` once. */
  enter(bytes: number, isUrgent: boolean, begin: () => void): void {
    (isUrgent ? this.#urgent : this.#others).push({ bytes, begin });
    this.#open();
  }

  leave(bytes: number): void {
    this.#bytes -= bytes;
    this.#open();
  }

  #open(): void {
    if (this.#isOpening) return;
    this.#isOpening = true;
    while (this.#bytes < IN_HAND_BYTES_MAX) {
      const next = this.#urgent.shift() ?? this.#others.shift();
      if (next === undefined) break;
      this.#bytes += next.bytes;
      next.begin();
    }
    this.#isOpening = false;
  }
}

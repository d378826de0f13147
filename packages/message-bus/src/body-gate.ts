/** So many bytes of bodies at most are read and handled at once; one body always may be. Read, they take some ten times that. */
export const IN_HAND_BYTES_MAX = 8 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * Lets deliveries in by the bytes of their bodies: what a broker sends ahead by number may, once it is read, be more than there is
 * memory for. In order, but for the urgent ones, which pass the others.
 */
export class BodyGate {
  readonly #urgent: Waiting[] = [];
  readonly #others: Waiting[] = [];
  #bytes = 0;
  #isOpening = false;

  /** Calls `begin`, now or when there is room. What was begun has to leave. */
  enter(bytes: number, isUrgent: boolean, begin: () => void): void {
    (isUrgent ? this.#urgent : this.#others).push({ bytes, begin });
    this.#open();
  }

  leave(bytes: number): void {
    this.#bytes -= bytes;
    this.#open();
  }

  /** What is begun may leave at once: that must not begin the next within it. */
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

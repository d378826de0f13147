interface Sample {
  /** The server's clock, in whole milliseconds, at an instant between sending and receiving. */
  serverMs: number;
  sentMs: number;
  receivedMs: number;
}

/** Bounds of the server's clock minus the local one. */
interface Offset {
  least: number;
  most: number;
}

/** Largest rate at which two clocks drift apart; NTP corrects clocks by as much. */
const MAX_DRIFT = 500e-6;
const SERVER_GRAIN_MS = 1;
const UNKNOWN = Number.POSITIVE_INFINITY;

/**
 * The server's clock in terms of the local monotonic one. Each sample bounds their difference; together they are as exact
 * as the fastest of them. A sample that contradicts the others means that the server's clock was set, or that another
 * server answers.
 */
export class ServerClock {
  #known: (Offset & { atMs: number }) | undefined;
  #settledFromMs = UNKNOWN;
  readonly #settleMs: number;

  /** @param settleMs time until the clock is settled after it was set */
  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** Adds a sample. Returns whether the clock is settled: not new, and not set lately. */
  observe({ serverMs, sentMs, receivedMs }: Sample): boolean {
    const sample = { least: serverMs - receivedMs, most: serverMs + SERVER_GRAIN_MS - sentMs };
    const known = this.#known && this.#offset(receivedMs);
    const least = Math.max(sample.least, known?.least ?? sample.least);
    const most = Math.min(sample.most, known?.most ?? sample.most);
    const wasSet = least > most;
    this.#known = { ...(wasSet ? sample : { least, most }), atMs: receivedMs };
    if (wasSet || this.#settledFromMs === UNKNOWN) this.#settledFromMs = receivedMs + this.#settleMs;
    return this.isSettled(receivedMs);
  }

  /** No permits were ever granted by another clock. */
  settle(): void {
    this.#settledFromMs = Number.NEGATIVE_INFINITY;
  }

  /** True when all permits of an earlier clock have been used or dropped. */
  isSettled(localMs: number): boolean {
    return localMs >= this.#settledFromMs;
  }

  get isKnown(): boolean {
    return this.#known !== undefined || this.#settledFromMs !== UNKNOWN;
  }

  /** From this local time on the server's clock has surely reached `serverMs`. */
  surelyAfter(serverMs: number, localMs: number): number {
    return serverMs - this.#offset(localMs).least;
  }

  /** Until this local time the server's clock has surely not passed `serverMs`. */
  surelyBefore(serverMs: number, localMs: number): number {
    return serverMs - this.#offset(localMs).most;
  }

  #offset(localMs: number): Offset {
    if (this.#known === undefined) return { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
    const { least, most, atMs } = this.#known;
    const driftMs = Math.abs(localMs - atMs) * MAX_DRIFT;
    return { least: least - driftMs, most: most + driftMs };
  }
}

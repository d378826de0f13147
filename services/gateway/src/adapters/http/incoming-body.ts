import { Readable } from 'node:stream';

/** Bytes buffered before backpressure reaches the sender. */
const AHEAD_BYTES = 128 * 1024;

export interface BodySource {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** A streaming body with backpressure. Destroying it aborts the request; a truncated body ends with an error. */
export class IncomingBody extends Readable {
  readonly #source: BodySource;
  readonly #deadline: NodeJS.Timeout;
  #isWhole = false;
  /** When the reader last made progress. */
  #progressAt = 0;

  /** @param withinMs how long it may take altogether, its reader's slowness included */
  constructor(source: BodySource, withinMs: number) {
    super({ highWaterMark: AHEAD_BYTES });
    this.#source = source;
    // It may break off before anyone reads it; a later reader still gets the error.
    this.on('error', () => undefined);
    this.#deadline = setTimeout(() => {
      this.destroy(new Error(`a large answer was not taken within ${withinMs} ms`));
    }, withinMs);
  }

  /** Milliseconds since the reader last made progress, while data is waiting. */
  get stalledMs(): number {
    return this.readableLength === 0 ? 0 : performance.now() - this.#progressAt;
  }

  receive(chunk: Buffer): void {
    if (this.readableLength === 0) this.#progressAt = performance.now();
    if (!this.push(chunk)) this.#source.pause();
  }

  finish(): void {
    this.#isWhole = true;
    this.push(null);
  }

  override _read(): void {
    this.#progressAt = performance.now();
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#deadline);
    if (!this.#isWhole) this.#source.abort(error ?? new Error('nobody reads it'));
    callback(error);
  }
}

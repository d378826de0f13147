import { Readable } from 'node:stream';

/** How much of a body waits for its reader before its sender is held up, in bytes. */
const AHEAD_BYTES = 128 * 1024;

/** Where a body comes from. */
export interface BodySource {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/**
 * A body as it comes in. Its sender is held up while its reader is slow; whoever destroys it cuts the sender off. It ends
 * with an error where the body breaks off.
 */
export class IncomingBody extends Readable {
  readonly #source: BodySource;
  readonly #deadline: NodeJS.Timeout;
  #isWhole = false;
  /** When its reader last made room for more, or was last kept waiting itself. */
  #progressAt = 0;

  /** @param withinMs how long it may take altogether, its reader's slowness included */
  constructor(source: BodySource, withinMs: number) {
    super({ highWaterMark: AHEAD_BYTES });
    this.#source = source;
    // It may break off before anybody reads it: whoever does then finds out.
    this.on('error', () => undefined);
    this.#deadline = setTimeout(() => {
      this.destroy(new Error(`a large answer was not taken within ${withinMs} ms`));
    }, withinMs);
  }

  /** For how many milliseconds its reader has left what is there. */
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

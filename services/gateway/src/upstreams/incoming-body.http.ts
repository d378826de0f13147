import { Readable } from 'node:stream';
import { suppressRequestLog } from '@lobbystats/service-kit';
import type { BodyStream } from './upstreams.ts';

/** Bytes buffered before backpressure reaches the sender. */
const BUFFER_BYTES = 128 * 1024;

export interface BodySource {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** A streaming body with backpressure. Destroying it aborts the request; a truncated body ends with an error. */
export class IncomingBody extends Readable implements BodyStream {
  readonly length: number;
  readonly #source: BodySource;
  readonly #deadline: NodeJS.Timeout;
  #isComplete = false;
  /** When the reader last made progress. */
  #progressAt = 0;

  /**
   * @param length in bytes
   * @param withinMs time limit for the whole body, including time spent waiting for the reader
   */
  constructor(source: BodySource, length: number, withinMs: number) {
    super({ highWaterMark: BUFFER_BYTES });
    this.length = length;
    this.#source = source;
    // It may fail before it is read; a later reader still gets the error.
    this.on('error', () => undefined);
    this.#deadline = setTimeout(() => {
      this.destroy(new Error(`a streaming response was not read within ${withinMs} ms`));
    }, withinMs);
  }

  get chunks(): this {
    return this;
  }

  discard(): void {
    this.destroy();
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
    this.#isComplete = true;
    this.push(null);
  }

  override _read(): void {
    this.#progressAt = performance.now();
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#deadline);
    if (!this.#isComplete) this.#source.abort(error ?? new Error('the reader closed the response'));
    callback(error);
  }
}

/** A reader that has stalled for this time may be dropped in favour of another one. */
const STALLED_MS = 1000;

/**
 * Limits concurrent streaming responses, each of which holds a connection. Beyond the limit the reader that has stalled longest
 * is dropped, so that slow readers don't block others.
 */
export class StreamLimit {
  readonly #active = new Set<IncomingBody>();
  readonly #max: number;
  readonly #onDropped: () => void;

  /** @param onDropped called for each reader that is dropped */
  constructor(max: number, onDropped: () => void) {
    this.#max = max;
    this.#onDropped = onDropped;
  }

  /** @throws Error when there are too many and no reader has stalled: the response is destroyed */
  admit(response: IncomingBody): void {
    if (this.#active.size >= this.#max) this.#dropStalled(response);
    this.#active.add(response);
    response.once('close', () => this.#active.delete(response));
  }

  #dropStalled(inFavourOf: IncomingBody): void {
    const stalled = [...this.#active].filter(({ stalledMs }) => stalledMs >= STALLED_MS);
    const [slowest] = stalled.toSorted((one, other) => other.stalledMs - one.stalledMs);
    if (slowest === undefined) {
      inFavourOf.destroy();
      throw new Error('too many concurrent streaming responses');
    }
    this.#active.delete(slowest);
    slowest.destroy(suppressRequestLog(new Error('a streaming response was read too slowly while others waited')));
    this.#onDropped();
  }
}

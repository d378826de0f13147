import { Readable } from 'node:stream';
import { suppressRequestLog } from '@lobbystats/service-kit';
import type { Dispatcher } from 'undici';
import type { BodyStream } from './upstreams.ts';

/** Bytes buffered before backpressure reaches the sender. */
const BUFFER_BYTES = 128 * 1024;

/** A streaming body with backpressure. Destroying it aborts the request; a truncated body ends with an error. */
export class IncomingBody extends Readable implements BodyStream {
  readonly length: number;
  readonly #source: Dispatcher.DispatchController;
  readonly #deadline: NodeJS.Timeout;
  #isComplete = false;
  /** When the reader last made progress. */
  #progressAt = 0;

  /**
   * @param length in bytes
   * @param withinMs time limit for the whole body, including time spent waiting for the reader
   */
  constructor(source: Dispatcher.DispatchController, length: number, withinMs: number) {
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

/** Ends and removes the response whose reader has stalled longest. False when none has stalled. */
export function dropStalled(streams: Set<IncomingBody>): boolean {
  const stalled = [...streams].filter(({ stalledMs }) => stalledMs >= STALLED_MS);
  const [slowest] = stalled.toSorted((one, other) => other.stalledMs - one.stalledMs);
  if (slowest === undefined) return false;
  streams.delete(slowest);
  slowest.destroy(suppressRequestLog(new Error('a streaming response was read too slowly while others waited')));
  return true;
}

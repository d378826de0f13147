import type { IncomingMessage } from 'node:http';
import { HttpError } from './send-response.ts';

/** Limit of a request. */
export const BODY_BYTES_MAX = 64 * 1024;
/** Chunks that a body may have whatever their size; of more, the mean size must be at least {@link CHUNK_BYTES_MEAN}. */
const CHUNKS_MAX = 1024;
const CHUNK_BYTES_MEAN = 8;

/** Collects a body in one growing buffer, so that its memory depends on its bytes and not on the number of its chunks. */
export class BodyBytes {
  readonly #maxBytes: number;
  /** The first chunk itself, then a buffer of our own. */
  #bytes: Uint8Array = Buffer.alloc(0);
  #length = 0;
  #received = 0;
  #chunks = 0;

  /** @param maxBytes -1: no limit */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the body, what was dropped included, has absurdly many chunks: each takes microseconds of the process. */
  get isScattered(): boolean {
    return this.#chunks > CHUNKS_MAX && this.#received < this.#chunks * CHUNK_BYTES_MEAN;
  }

  /** @returns false if the body exceeds the limit; the chunk is then dropped */
  append(chunk: Uint8Array): boolean {
    this.#chunks += 1;
    this.#received += chunk.length;
    const length = this.#length + chunk.length;
    if (this.#maxBytes >= 0 && length > this.#maxBytes) return false;
    if (this.#length === 0) {
      this.#bytes = chunk;
    } else {
      if (length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(chunk, this.#length);
    }
    this.#length = length;
    return true;
  }

  /** A copy: a chunk is a slice of the socket's read buffer and would keep all of it alive. */
  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/**
 * Reads the body of a request. Ends the connection of a body with absurdly many chunks.
 *
 * @throws HttpError 413 for more than {@link BODY_BYTES_MAX}, before the body's end; 400 for an incomplete body
 */
export function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const bytes = new BodyBytes(BODY_BYTES_MAX);
    const append = (chunk: Buffer): void => {
      // Goes on to discard the rest, so that the connection stays usable.
      if (!bytes.append(chunk)) reject(tooLarge());
      if (bytes.isScattered) req.off('data', append).destroy();
    };
    const breakOff = (): void => {
      reject(new HttpError(400, 'The body breaks off'));
    };
    if (req.destroyed) breakOff();
    req.on('data', append);
    req.once('end', () => {
      req.off('close', breakOff);
      resolve(bytes.copy());
    });
    req.once('error', breakOff).once('close', breakOff);
  });
}

export function tooLarge(): HttpError {
  return new HttpError(413, `The body must be at most ${BODY_BYTES_MAX / 1024} KiB`);
}

import { EncodedBodies, type Compress } from './encoded-bodies.ts';
import type { OriginResponse } from './cache-request.ts';

/**
 * Compresses a new body in the content codings of its predecessor before it replaces that. One at a time, so that
 * requests get processor time.
 */
export class Precompressor {
  readonly #compress: Compress;
  #last: Promise<unknown> = Promise.resolve();

  constructor(pack: Compress) {
    this.#compress = pack;
  }

  async precompress({ body, tag }: OriginResponse, before: EncodedBodies | undefined): Promise<EncodedBodies> {
    const bodies = new EncodedBodies(body, tag);
    if (before === undefined) return bodies;
    if (before.identity.tag === bodies.identity.tag) return before;
    await Promise.all(
      before.compressions().map((packing) => this.#enqueue(() => bodies.encode(packing, this.#compress))),
    );
    return bodies;
  }

  async #enqueue(work: () => Promise<unknown>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    await done;
  }
}

import { EncodedBodies, type Pack } from './encoded-bodies.ts';
import type { MadeAnswer } from './wanted.ts';

/**
 * Compresses a new body in the encodings its predecessor was requested in, before it replaces it. One at a time, to
 * leave the processor to requests.
 */
export class PackAhead {
  readonly #pack: Pack;
  #last: Promise<unknown> = Promise.resolve();

  constructor(pack: Pack) {
    this.#pack = pack;
  }

  async bodiesOf({ body, tag }: MadeAnswer, before: EncodedBodies | undefined): Promise<EncodedBodies> {
    const bodies = new EncodedBodies(body, tag);
    if (before === undefined) return bodies;
    if (before.identity.tag === bodies.identity.tag) return before;
    await Promise.all(before.packings().map((packing) => this.#inTurn(() => bodies.in(packing, this.#pack))));
    return bodies;
  }

  async #inTurn(work: () => Promise<unknown>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    await done;
  }
}

import { EncodedBodies, type Pack } from './encoded-bodies.ts';
import type { MadeAnswer } from './wanted.ts';

/**
 * Packs new bytes as the ones before were asked for, so that nobody has to wait for it when they take their place. It packs
 * one after the other: more at once would take the processor from those who are answered meanwhile.
 */
export class PackAhead {
  readonly #pack: Pack;
  #last: Promise<unknown> = Promise.resolve();

  constructor(pack: Pack) {
    this.#pack = pack;
  }

  /** @returns the bodies before where the bytes are the same */
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

import { tagOfForm } from '../entity-tag.ts';
import type { Encoding, Packing } from './encoding.ts';

export interface EncodedBody {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /**
   * The same, a character a byte, where they are few: Node sends head and body in one write then, which for few bytes is
   * cheaper than not to copy them.
   */
  readonly text: string | undefined;
  /** A strong ETag of these bytes: another for each encoding. */
  readonly tag: string;
}

/** Up to this size copying is cheaper than a second write. */
const TEXT_BYTES_MAX = 12 * 1024;

export type Pack = (packing: Packing, bytes: Buffer) => Promise<Buffer>;

/** A smaller body saves no packet by compression. */
const PACKED_FROM_BYTES = 1024;

/** One body in every encoding that was requested; each is compressed once. */
export class EncodedBodies {
  readonly identity: EncodedBody;
  readonly #packed = new Map<Packing, EncodedBody>();
  readonly #underWay = new Map<Packing, Promise<EncodedBody>>();

  constructor(bytes: Buffer, tag: string) {
    this.identity = encodedBody('identity', bytes, tag);
  }

  /** Undefined where it must be compressed first. A body that doesn't shrink is sent as it is. */
  ready(encoding: Encoding): EncodedBody | undefined {
    if (encoding === 'identity') return this.identity;
    return this.identity.bytes.length < PACKED_FROM_BYTES ? this.identity : this.#packed.get(encoding);
  }

  /** Compresses on first use. */
  async in(encoding: Encoding, pack: Pack): Promise<EncodedBody> {
    const ready = this.ready(encoding);
    if (ready !== undefined || encoding === 'identity') return ready ?? this.identity;
    const underWay = this.#underWay.get(encoding) ?? this.#pack(encoding, pack);
    this.#underWay.set(encoding, underWay);
    return underWay;
  }

  packings(): readonly Packing[] {
    return [...this.#packed.keys()];
  }

  size(): number {
    const bodies = new Set([this.identity, ...this.#packed.values()]);
    let sum = 0;
    for (const { bytes, text = '' } of bodies) sum += bytes.length + text.length;
    return sum;
  }

  async #pack(packing: Packing, pack: Pack): Promise<EncodedBody> {
    try {
      const bytes = await pack(packing, this.identity.bytes);
      const isSmaller = bytes.length < this.identity.bytes.length;
      const body = isSmaller ? encodedBody(packing, bytes, tagOfForm(this.identity.tag, packing)) : this.identity;
      this.#packed.set(packing, body);
      return body;
    } finally {
      this.#underWay.delete(packing);
    }
  }
}

function encodedBody(encoding: Encoding, bytes: Buffer, tag: string): EncodedBody {
  const text = bytes.length <= TEXT_BYTES_MAX ? bytes.toString('latin1') : undefined;
  return { encoding, bytes, text, tag };
}

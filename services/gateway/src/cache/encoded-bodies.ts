import { variantTag } from './entity-tag.ts';
import type { ContentCoding, Compression } from './content-coding.ts';

export interface EncodedBody {
  readonly encoding: ContentCoding;
  readonly bytes: Buffer;
  /**
   * Small bodies as a Latin-1 string: Node writes head and string together, which is cheaper than two writes.
   */
  readonly text: string | undefined;
  /** A strong ETag, different for each content coding. */
  readonly tag: string;
}

/** Up to this size copying is cheaper than a second write. */
const TEXT_BYTES_MAX = 12 * 1024;

export type Compress = (packing: Compression, bytes: Buffer) => Promise<Buffer>;

/** Compressing a smaller body saves no packet. */
const COMPRESS_MIN_BYTES = 1024;

/** A body in each content coding that was requested. Each is compressed once. */
export class EncodedBodies {
  readonly identity: EncodedBody;
  readonly #compressed = new Map<Compression, EncodedBody>();
  readonly #pending = new Map<Compression, Promise<EncodedBody>>();

  constructor(bytes: Buffer, tag: string) {
    this.identity = encodedBody('identity', bytes, tag);
  }

  /** Returns undefined if the body must be compressed first. A body that doesn't shrink is sent uncompressed. */
  ready(encoding: ContentCoding): EncodedBody | undefined {
    if (encoding === 'identity') return this.identity;
    return this.identity.bytes.length < COMPRESS_MIN_BYTES ? this.identity : this.#compressed.get(encoding);
  }

  /** Compresses on first use. */
  async encode(encoding: ContentCoding, pack: Compress): Promise<EncodedBody> {
    const ready = this.ready(encoding);
    if (ready !== undefined || encoding === 'identity') return ready ?? this.identity;
    const underWay = this.#pending.get(encoding) ?? this.#compress(encoding, pack);
    this.#pending.set(encoding, underWay);
    return underWay;
  }

  compressions(): readonly Compression[] {
    return [...this.#compressed.keys()];
  }

  size(): number {
    const bodies = new Set([this.identity, ...this.#compressed.values()]);
    let sum = 0;
    for (const { bytes, text = '' } of bodies) sum += bytes.length + text.length;
    return sum;
  }

  async #compress(packing: Compression, pack: Compress): Promise<EncodedBody> {
    try {
      const bytes = await pack(packing, this.identity.bytes);
      const isSmaller = bytes.length < this.identity.bytes.length;
      const body = isSmaller ? encodedBody(packing, bytes, variantTag(this.identity.tag, packing)) : this.identity;
      this.#compressed.set(packing, body);
      return body;
    } finally {
      this.#pending.delete(packing);
    }
  }
}

function encodedBody(encoding: ContentCoding, bytes: Buffer, tag: string): EncodedBody {
  const text = bytes.length <= TEXT_BYTES_MAX ? bytes.toString('latin1') : undefined;
  return { encoding, bytes, text, tag };
}

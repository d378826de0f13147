export type ContentCoding = 'br' | 'gzip' | 'identity';
type Compression = Exclude<ContentCoding, 'identity'>;
export type Compress = (coding: Compression, bytes: Buffer) => Promise<Buffer>;

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
/** Compressing a smaller body saves no packet. */
const COMPRESS_MIN_BYTES = 1024;

/** A body in each content coding that was requested. Each is compressed once. */
export class EncodedBodies {
  readonly identity: EncodedBody;
  readonly #compressed = new Map<Compression, EncodedBody>();
  readonly #pending = new Map<Compression, Promise<EncodedBody>>();

  /** @param tag a strong ETag */
  constructor(bytes: Buffer, tag: string) {
    this.identity = encodedBody('identity', bytes, tag);
  }

  /** Returns undefined if the body must be compressed first. A body that doesn't shrink is sent uncompressed. */
  ready(encoding: ContentCoding): EncodedBody | undefined {
    if (encoding === 'identity') return this.identity;
    return this.identity.bytes.length < COMPRESS_MIN_BYTES ? this.identity : this.#compressed.get(encoding);
  }

  /** Compresses on first use. */
  async encode(encoding: ContentCoding, compress: Compress): Promise<EncodedBody> {
    const ready = this.ready(encoding);
    if (ready !== undefined || encoding === 'identity') return ready ?? this.identity;
    const underWay = this.#pending.get(encoding) ?? this.#compress(encoding, compress);
    this.#pending.set(encoding, underWay);
    return underWay;
  }

  codings(): readonly Compression[] {
    return [...this.#compressed.keys()];
  }

  size(): number {
    const bodies = new Set([this.identity, ...this.#compressed.values()]);
    let sum = 0;
    for (const { bytes, text = '' } of bodies) sum += bytes.length + text.length;
    return sum;
  }

  async #compress(coding: Compression, compress: Compress): Promise<EncodedBody> {
    try {
      const bytes = await compress(coding, this.identity.bytes);
      const isSmaller = bytes.length < this.identity.bytes.length;
      const body = isSmaller ? encodedBody(coding, bytes, variantTag(this.identity.tag, coding)) : this.identity;
      this.#compressed.set(coding, body);
      return body;
    } finally {
      this.#pending.delete(coding);
    }
  }
}

function encodedBody(encoding: ContentCoding, bytes: Buffer, tag: string): EncodedBody {
  const text = bytes.length <= TEXT_BYTES_MAX ? bytes.toString('latin1') : undefined;
  return { encoding, bytes, text, tag };
}

/**
 * Compresses new bodies in the content codings of their predecessors before they replace those. One at a time, so that
 * requests get processor time.
 */
export function createPrecompressor(compress: Compress) {
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = (work: () => Promise<unknown>): Promise<unknown> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  return async (body: EncodedBodies, before: EncodedBodies | undefined): Promise<EncodedBodies> => {
    if (before?.identity.tag === body.identity.tag) return before;
    const codings = before?.codings() ?? [];
    await Promise.all(codings.map((coding) => enqueue(() => body.encode(coding, compress))));
    return body;
  };
}

export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // Fast path: most clients send exactly one tag.
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}

/** A strong tag of a plain form, or undefined. */
export function strongTag(tag: string | undefined): string | undefined {
  return tag !== undefined && STRONG.test(tag) ? tag : undefined;
}

/** The tag of the same content in another format. */
export function variantTag(tag: string, form: string): string {
  return tag.replace(/"$/, `-${form}"`);
}

const STRONG = /^"[\x21\x23-\x7e]{1,64}"$/;

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
  /** Bytes of all codings. */
  size: number;
  readonly #compressed = new Map<Compression, EncodedBody>();
  readonly #pending = new Map<Compression, Promise<EncodedBody>>();

  /** @param tag a strong ETag */
  constructor(bytes: Buffer, tag: string) {
    this.identity = encodedBody('identity', bytes, tag);
    this.size = memoryOf(this.identity);
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

  async #compress(coding: Compression, compress: Compress): Promise<EncodedBody> {
    try {
      const tag = variantTag(this.identity.tag, coding);
      const bytes = await compress(coding, this.identity.bytes);
      const isSmaller = bytes.length < this.identity.bytes.length;
      const body = isSmaller ? encodedBody(coding, bytes, tag) : this.identity;
      this.#compressed.set(coding, body);
      if (isSmaller) this.size += memoryOf(body);
      return body;
    } finally {
      this.#pending.delete(coding);
    }
  }
}

function encodedBody(encoding: ContentCoding, given: Buffer, tag: string): EncodedBody {
  const bytes = withoutPool(given);
  const text = bytes.length <= TEXT_BYTES_MAX ? bytes.toString('latin1') : undefined;
  return { encoding, bytes, text, tag };
}

/** A slice of Node's buffer pool would keep all of the pool in memory. */
function withoutPool(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

function memoryOf({ bytes, text = '' }: EncodedBody): number {
  return bytes.length + text.length;
}

/** Compresses a body in the content codings of its predecessor. One at a time, so that requests get processor time. */
export function createPrecompressor(compress: Compress) {
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = (work: () => Promise<unknown>): Promise<unknown> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  return (body: EncodedBodies, codings: readonly Compression[]): Promise<unknown> =>
    Promise.all(codings.map((coding) => enqueue(() => body.encode(coding, compress))));
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

import { freshUntil } from '@lobbystats/contracts';
import type { BodyStream } from '../upstreams/upstreams.ts';
import type { ContentCoding, EncodedBodies } from './encoded-bodies.ts';

/**
 * `store`: until a fact or its expiry. `revalidate`: each caller gets a response fetched after their request; stored only
 * for outages. `coalesce`: single-flight, not stored.
 */
export type CachePolicy = 'store' | 'revalidate' | 'coalesce';

export interface CacheRequest {
  /** Equal only for requests with equal responses. */
  readonly key: string;
  readonly operation: string;
  readonly upstream: string;
  /** Facts with one of these tags invalidate it. */
  readonly tags: readonly string[];
  /** Those that tell how long it is fresh elsewhere (`freshUntil`). Default: all. */
  readonly freshnessTags?: readonly string[];
  readonly policy: CachePolicy;
  /** Fetched again at each slot once it was asked for. */
  readonly isPresent?: boolean;
  /** In which its caller wants the response: compressed before it is stored. Default: identity. */
  readonly encoding?: ContentCoding;
  /** @throws AppError `unavailable` when the upstream fails */
  readonly fetch: () => Promise<OriginResponse>;
}

export function freshnessOf({ tags, freshnessTags = tags }: CacheRequest): ReturnType<typeof freshUntil> {
  return freshUntil(freshnessTags);
}

export interface OriginResponse<Body extends EncodedBodies | LargeBody = EncodedBodies | LargeBody> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  /** Default: true. */
  readonly isStorable?: boolean;
}

/** With a strong ETag, if it has one. */
export type TaggedStream = BodyStream & { readonly tag: string | undefined };

/** A body too large to share or store. The first caller claims it, others fetch their own. */
export class LargeBody {
  #stream: TaggedStream | undefined;

  constructor(stream: TaggedStream) {
    this.#stream = stream;
    // Waiting callers claim it before that; after a background refresh it is unclaimed.
    setImmediate(() => this.claim()?.discard());
  }

  /** Returns the stream, or undefined if another caller has claimed it. */
  claim(): TaggedStream | undefined {
    const stream = this.#stream;
    this.#stream = undefined;
    return stream;
  }
}

/** A fetch under way, which concurrent requests share. */
export interface Flight {
  /** Identifies the flight without keeping it in memory. */
  readonly token: object;
  readonly request: CacheRequest;
  /** Next expected slot when the flight began, in epoch milliseconds. */
  readonly nextMs: number;
  /** A fact invalidated it after it began: its response may be stale. */
  isInvalidated: boolean;
  readonly response: Promise<OriginResponse>;
}

export interface CacheEntry
  extends Pick<CacheRequest, 'operation' | 'upstream' | 'tags'>, OriginResponse<EncodedBodies> {
  readonly freshUntil: ReturnType<typeof freshUntil>;
  readonly flightToken: object;
  /** Epoch milliseconds, as all times here. */
  readonly storedMs: number;
  /** Next expected slot before the fetch. */
  readonly nextMs: number;
  readonly expiresMs: number;
  staleSinceMs: number | undefined;
  failedMs: number | undefined;
  /** Bytes. */
  size: number;
  /** Set on every use, cleared by the eviction scan. */
  wasUsed: boolean;
}

export interface ServedResponse<Body extends EncodedBodies | TaggedStream = EncodedBodies | TaggedStream> {
  readonly key: string;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: it must be revalidated before each use. */
  readonly maxAgeSeconds: number | undefined;
  /** Seconds since it became stale, 0 if fresh; undefined for a new response. */
  readonly ageSeconds: number | undefined;
  /** `Cache-Status`, RFC 9211. */
  readonly status: string;
}

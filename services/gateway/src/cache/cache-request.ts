import type { EncodedBodies } from './encoded-bodies.ts';
import type { UnsharedResponse, ResponseStream } from './unshared-response.ts';
import type { EvictableEntry } from './second-chance-map.ts';

export interface OriginResponse {
  readonly body: Buffer;
  /** A strong ETag of the body. */
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
}

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
  readonly policy: CachePolicy;
  /** @throws AppError `unavailable` when the upstream fails */
  readonly fetch: () => Promise<OriginResponse | UnsharedResponse>;
}

export interface CacheEntry extends EvictableEntry {
  readonly flightToken: object;
  readonly operation: string;
  readonly bodies: EncodedBodies;
  readonly headers: Readonly<Record<string, string>>;
  readonly upstream: string;
  readonly tags: readonly string[];
  /** Epoch milliseconds, as all times here. */
  readonly storedMs: number;
  /** Next expected slot before the fetch. */
  readonly nextMs: number;
  readonly expiresMs: number;
  staleSinceMs: number | undefined;
  failedMs: number | undefined;
}

export interface ServedResponse {
  readonly key: string;
  readonly bodies: EncodedBodies;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxAgeSeconds: number;
  /** Seconds since it became stale, 0 if fresh; undefined for a new response. */
  readonly ageSeconds: number | undefined;
  /** `Cache-Status`, RFC 9211. */
  readonly status: string;
}

export interface ServedStream extends Pick<ServedResponse, 'headers' | 'maxAgeSeconds' | 'ageSeconds' | 'status'> {
  readonly large: ResponseStream;
}

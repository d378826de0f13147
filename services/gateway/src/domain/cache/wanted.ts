import type { EncodedBodies } from './encoded-bodies.ts';
import type { LargeResult, StreamedAnswer } from './large-result.ts';
import type { Sized } from './second-chance.ts';

export interface MadeAnswer {
  readonly body: Buffer;
  /** A strong ETag of the body. */
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * `kept`: stored until a fact or its expiry. `revalidated`: each caller gets an answer fetched after their request;
 * stored only for outages. `shared`: single-flight, not stored.
 */
export type Keeping = 'kept' | 'revalidated' | 'shared';

export interface Wanted {
  /** Equal for requests with equal answers alone. */
  readonly key: string;
  readonly operation: string;
  /** The upstream. */
  readonly owner: string;
  /** Facts with one of these tags invalidate it. */
  readonly tags: readonly string[];
  readonly keeping: Keeping;
  /** @throws AppError `unavailable` when nobody can say what the answer is at the moment */
  readonly make: () => Promise<MadeAnswer | LargeResult>;
}

export interface KeptAnswer extends Sized {
  readonly madeBy: object;
  readonly operation: string;
  readonly bodies: EncodedBodies;
  readonly headers: Readonly<Record<string, string>>;
  readonly owner: string;
  readonly tags: readonly string[];
  /** Epoch milliseconds, as all times here. */
  readonly keptMs: number;
  /** Next expected slot before the fetch. */
  readonly nextMs: number;
  readonly expiresMs: number;
  staleSinceMs: number | undefined;
  failedMs: number | undefined;
}

export interface GivenAnswer {
  readonly key: string;
  readonly bodies: EncodedBodies;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxAgeSeconds: number;
  /** Seconds since it was known to be fresh; undefined for a new answer. */
  readonly ageSeconds: number | undefined;
  /** `Cache-Status`, RFC 9211. */
  readonly status: string;
}

export interface GivenLarge extends Pick<GivenAnswer, 'headers' | 'maxAgeSeconds' | 'ageSeconds' | 'status'> {
  readonly large: StreamedAnswer;
}

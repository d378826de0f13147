import type { EncodedBodies } from './encoded-bodies.ts';
import type { LargeResult, StreamedAnswer } from './large-result.ts';
import type { Sized } from './second-chance.ts';

/** An answer as it was made: bytes, and the headers that speak of them. */
export interface MadeAnswer {
  readonly body: Buffer;
  /** A strong ETag of the body. */
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What becomes of an answer. `kept`: it is shown to others until a fact or the clock says otherwise. `revalidated`: whoever
 * asks gets one that was begun after they asked; it is kept for the time when its owner is away. `shared`: those who ask for
 * it while it is made get the same, and it is kept for nobody.
 */
export type Keeping = 'kept' | 'revalidated' | 'shared';

/** An answer that somebody wants. */
export interface Wanted {
  /** Canonical: equal for equal answers alone. */
  readonly key: string;
  readonly operation: string;
  /** The service whose word it is. */
  readonly owner: string;
  /** What it is made of: facts that bear one of these touch it. */
  readonly tags: readonly string[];
  readonly keeping: Keeping;
  /** @throws AppError `unavailable` when nobody can say what the answer is at the moment */
  readonly make: () => Promise<MadeAnswer | LargeResult>;
}

/** An answer that is kept. */
export interface KeptAnswer extends Sized {
  /** The token of the flight that brought it. */
  readonly madeBy: object;
  readonly operation: string;
  readonly bodies: EncodedBodies;
  readonly headers: Readonly<Record<string, string>>;
  readonly owner: string;
  readonly tags: readonly string[];
  /** Epoch milliseconds, as all times here. */
  readonly keptMs: number;
  /** When the next slot was expected, as was known before it was made. */
  readonly nextMs: number;
  /** When it is to be made anew whatever facts say. */
  readonly expiresMs: number;
  /** When a fact said that it is no longer true. */
  staleSinceMs: number | undefined;
  /** When it failed to be made anew. */
  failedMs: number | undefined;
}

/** An answer as it is given to one caller. */
export interface GivenAnswer {
  readonly key: string;
  readonly bodies: EncodedBodies;
  readonly headers: Readonly<Record<string, string>>;
  /** How long it may be shown on, in whole seconds. */
  readonly maxAgeSeconds: number;
  /** Seconds since it was last known to be true; undefined for one just made. */
  readonly ageSeconds: number | undefined;
  /** `Cache-Status`, RFC 9211. */
  readonly status: string;
}

/** A large answer as it is given to its one caller. */
export interface GivenLarge extends Pick<GivenAnswer, 'headers' | 'maxAgeSeconds' | 'ageSeconds' | 'status'> {
  readonly large: StreamedAnswer;
}

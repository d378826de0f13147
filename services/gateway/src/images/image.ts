import type { EpochSeconds } from '@lobbystats/contracts';
import type { UpstreamFetcher } from '../upstreams/upstreams.ts';

interface ImageContext {
  /** Shown on every image. */
  readonly note: string;
  readonly now: EpochSeconds;
}

/** An image that is drawn from responses of upstreams. */
export interface ImageOf<Asked> {
  /** Label in metrics, and part of the cache key. */
  readonly id: string;
  /** Equal only for requests with equal images. */
  readonly key: (asked: Asked) => readonly (string | number)[];
  /** Cache tags of its data. */
  readonly tags: (asked: Asked) => readonly string[];
  /** Returns SVG. @throws AppError `not-found`, or `unavailable` when an upstream fails */
  readonly draw: (asked: Asked, context: ImageContext, upstreams: UpstreamFetcher) => Promise<string>;
}

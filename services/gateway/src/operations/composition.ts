import type { UpstreamFetcher, UpstreamResponse, Values } from '../upstreams/upstreams.ts';

interface CompositionRequest {
  readonly params: Values;
  readonly query: Values;
}

/**
 * Composes a response from those of several upstreams.
 *
 * @throws AppError as upstreams do: if one of them fails, so does the composition
 */
export type Composition = (asked: CompositionRequest, upstreams: UpstreamFetcher) => Promise<UpstreamResponse>;

import type { Operation, OperationResponse } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';

/** The body of a 200 that is streamed because it is too large to store. */
export interface BodyStream {
  /** Readable once, with backpressure. Throws when it is truncated or the reader was too slow. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** In bytes; undefined if unknown. */
  readonly length: number | undefined;
  /** Aborts the body. Call it if you don't read to the end. Idempotent. */
  discard(): void;
}

export interface UpstreamResponse<Body extends Buffer | BodyStream = Buffer> {
  /** JSON, or the operation's media type. */
  readonly body: Body;
  /** Strong. */
  readonly etag?: string | undefined;
  readonly lastModified: string | undefined;
  readonly link: string | undefined;
  /** `Content-Disposition` of a file. */
  readonly disposition?: string | undefined;
  /** Path of the resource if the request named it in another way. Facts name that one, so the response is not stored. */
  readonly canonical?: string | undefined;
}

/** The part of an operation that a request needs. */
export type UpstreamOperation = Pick<
  Operation,
  'id' | 'upstream' | 'path' | 'method' | 'alias' | 'mediaType' | 'session' | 'points'
>;

export type Values = Readonly<Record<string, string | number | undefined>>;

export interface RequestExtras {
  readonly method?: 'PATCH' | undefined;
  readonly body?: unknown;
  /** As a header, never in a URL. */
  readonly sessionKey?: string | undefined;
}

export interface UpstreamFetcher {
  /**
   * Sends a request to the operation's upstream. Of the caller's headers, only request ID and trace are forwarded.
   *
   * @throws AppError, or HttpError, with the upstream's message for the caller's faults: `not-found`, `invalid`, and
   * those of operations that require a session
   * @throws AppError `unavailable` when the upstream is unreachable, too slow, or responds with anything else
   */
  fetch(operation: UpstreamOperation, params: Values, query: Values, extras?: RequestExtras): Promise<UpstreamResponse>;
}

export interface Upstreams extends UpstreamFetcher {
  /** Like `fetch`, but a response above 1 MiB with a known length is streamed. */
  fetchOrStream(
    operation: UpstreamOperation,
    params: Values,
    query: Values,
    extras?: RequestExtras,
  ): Promise<UpstreamResponse<Buffer | BodyStream>>;
  /** Returns a fetcher whose requests share one deadline that starts now. */
  withSharedDeadline(): UpstreamFetcher;
  /** Aborts all requests. */
  close(): Promise<void>;
}

/**
 * Composes a response from those of several upstreams.
 *
 * @throws AppError as upstreams do: if one of them fails, so does the composition
 */
export type Composition = (
  asked: Pick<RequestExtras, 'sessionKey'> & { readonly params: Values; readonly query: Values },
  upstreams: UpstreamFetcher,
) => Promise<UpstreamResponse>;

/**
 * Parses a response's JSON, unvalidated: the upstream's tests check its schema.
 *
 * @throws AppError `unavailable` for invalid JSON, or when `read` throws
 */
export function parseResponse<Op extends Operation, Result = OperationResponse<Op>>(
  _operation: Op,
  { body }: UpstreamResponse,
  read: (response: OperationResponse<Op>) => Result = (response) => response as Result,
): Result {
  try {
    return read(JSON.parse(body.toString('utf8')) as OperationResponse<Op>);
  } catch (cause) {
    throw unavailable(cause);
  }
}

export function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'This is unavailable at the moment, try again soon', { cause });
}

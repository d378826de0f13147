import type { Operation, OperationAnswer } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';

export interface OwnerAnswer {
  /** JSON, or the operation's media type. */
  body: Buffer;
  /** Strong. */
  etag?: string | undefined;
  lastModified: string | undefined;
  link: string | undefined;
}

/** A 200 that is streamed because it is too large to store. */
export interface LargeAnswer {
  /** Readable once, with backpressure. Throws when it is truncated or the reader was too slow. */
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly length: number;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly link: string | undefined;
  /** Aborts the body. Call it if you don't read to the end. Idempotent. */
  discard(): void;
}

export function isLarge(answer: OwnerAnswer | LargeAnswer): answer is LargeAnswer {
  return 'chunks' in answer;
}

/** The part of an operation that a request needs. */
export type OwnedOperation = Pick<Operation, 'id' | 'owner' | 'path' | 'method' | 'alias' | 'mediaType' | 'session'>;

export type Values = Readonly<Record<string, string | number | undefined>>;

export interface Along {
  readonly method?: 'PATCH' | undefined;
  readonly body?: unknown;
  /** As a header, never in a URL. */
  readonly sessionKey?: string | undefined;
}

/** Somebody who can be asked what owners know. */
export interface Asker {
  /**
   * Sends a request to the operation's upstream, with nothing of the caller's but what is given and the request's ids.
   *
   * @throws AppError, or HttpProblem, with the owner's message, where that is the owner's answer to the caller's fault:
   * `not-found` and `invalid`, and all others that an operation may tell which requires a session
   * @throws AppError `unavailable` when the owner can't be reached, is too slow, or answers anything else
   */
  ask(operation: OwnedOperation, params: Values, query: Values, along?: Along): Promise<OwnerAnswer>;
}

export interface Owners extends Asker {
  /** Like `ask`, but an answer above 1 MiB with a length is streamed. */
  open(operation: OwnedOperation, params: Values, query: Values, along?: Along): Promise<OwnerAnswer | LargeAnswer>;
  /** Requests that depend on each other share one deadline from now on. */
  together(): Asker;
  /** Aborts requests. */
  close(): Promise<void>;
}

/**
 * Parses an answer's JSON. The upstream's tests hold it to its schema.
 *
 * @throws AppError `unavailable` when `read` throws, or there is no JSON
 */
export function readAnswer<Op extends Operation, Result>(
  _operation: Op,
  { body }: OwnerAnswer,
  read: (answer: OperationAnswer<Op>) => Result,
): Result {
  try {
    return read(JSON.parse(body.toString('utf8')) as OperationAnswer<Op>);
  } catch (cause) {
    throw unavailable(cause);
  }
}

export function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'This is unavailable at the moment, try again soon', { cause });
}

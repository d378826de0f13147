import type { Operation, OperationAnswer } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';

/** An owner's 200, as it came. */
export interface OwnerAnswer {
  /** JSON, or text of the media type that the operation names. */
  body: Buffer;
  /** A strong one for these bytes, if the owner says. */
  etag?: string | undefined;
  /** `Last-Modified`, if the owner says. */
  lastModified: string | undefined;
  /** `Link` to the next page, relative to the request. */
  link: string | undefined;
}

/** An owner's 200 that is too large to be kept: it is handed on while it comes in. */
export interface LargeAnswer {
  /**
   * The body, read once. Its owner is held up while the reader is slow, for so long. It throws where the owner breaks off, or
   * the reader took too long: nobody may take what came for whole then.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Of the body, in bytes. */
  readonly length: number;
  /** A strong one for these bytes, if the owner says. */
  readonly etag: string | undefined;
  /** `Last-Modified`, if the owner says. */
  readonly lastModified: string | undefined;
  /** `Link` to the next page, relative to the request. */
  readonly link: string | undefined;
  /** Wants no more of it. To be called by whoever doesn't read it to its end; a second time it is nothing. */
  discard(): void;
}

/** Whether an answer is handed on while it comes in. */
export function isLarge(answer: OwnerAnswer | LargeAnswer): answer is LargeAnswer {
  return 'chunks' in answer;
}

/** What an owner has to be told of an operation to answer it. */
export type OwnedOperation = Pick<Operation, 'id' | 'owner' | 'path' | 'method' | 'alias' | 'mediaType' | 'session'>;

/** Validated parameters; absent ones are undefined. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** What of a request goes along beside what its URL says. */
export interface Along {
  /** The alias by which it came, if it did. */
  readonly method?: 'PATCH' | undefined;
  /** Bytes of JSON as they came, or what becomes JSON. */
  readonly body?: unknown;
  /** The caller's, as it came: in a header, never in a URL. */
  readonly sessionKey?: string | undefined;
}

/** Somebody who can be asked what owners know. */
export interface Asker {
  /**
   * Asks the owner of an operation. Nothing of the caller's goes along but what is given and the request's ids.
   *
   * @throws AppError, or HttpProblem, with the owner's message, where that is the owner's answer to the caller's fault:
   *   `not-found` and `invalid`, and all others that an operation may tell which requires a session
   * @throws AppError `unavailable` when the owner can't be reached, is too slow, or answers anything else
   */
  ask(operation: OwnedOperation, params: Values, query: Values, along?: Along): Promise<OwnerAnswer>;
}

/** The services behind the gateway, asked over HTTP. */
export interface Owners extends Asker {
  /**
   * The same as `ask`, but an answer above 1 MiB of which the owner says the length isn't waited for. One that is not begun
   * within the time is `unavailable`.
   */
  open(operation: OwnedOperation, params: Values, query: Values, along?: Along): Promise<OwnerAnswer | LargeAnswer>;
  /** The same for questions of which one leads to the next: together they may take as long as one, from now on. */
  together(): Asker;
  /** Cuts off what is under way. */
  close(): Promise<void>;
}

/**
 * Makes something of an answer's JSON. The owner's own tests hold it to its schema.
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

/** What the public is told when an owner fails, whatever the reason: that goes into the log. */
export function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'This is unavailable at the moment, try again soon', { cause });
}

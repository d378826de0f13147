import type { Operation, OperationAnswer } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';

/** An owner's 200, as it came. */
export interface OwnerAnswer {
  /** JSON, or text of the media type that the operation names. */
  body: Buffer;
  /** `Last-Modified`, if the owner says. */
  lastModified: string | undefined;
  /** `Link` to the next page, relative to the request. */
  link: string | undefined;
}

/** What an owner has to be told of an operation to answer it. */
export type OwnedOperation = Pick<Operation, 'id' | 'owner' | 'path' | 'method' | 'mediaType'>;

/** Validated parameters; absent ones are undefined. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** The services behind the gateway, asked over HTTP. */
export interface Owners {
  /**
   * Asks the owner of an operation. What is given has been validated and defaulted; nothing else of the caller's goes along
   * but the request's ids.
   *
   * @param body of a POST, as it becomes JSON
   * @throws AppError `not-found` or `invalid`, with the owner's message, where that is the owner's answer
   * @throws AppError `unavailable` when the owner can't be reached, is too slow, or answers anything else
   */
  ask(operation: OwnedOperation, params: Values, query: Values, body?: unknown): Promise<OwnerAnswer>;
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

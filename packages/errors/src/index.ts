/**
 * What can go wrong, in the product's own words. This package knows no transport: service-kit turns a code into
 * an HTTP status, message-bus turns one into "dead letter" or "try again".
 *
 * - `invalid`: the input is malformed or out of bounds; the same input can never succeed.
 * - `unauthenticated`: a session key was given and is not valid.
 * - `forbidden`: understood, and not allowed to this caller.
 * - `not-found`: the thing named does not exist.
 * - `lookup-failed`: somebody else's service could not answer a question that the caller's request depends on.
 * - `unavailable`: a service behind this one is down or overloaded; the same input may succeed later.
 */
export type ErrorCode = 'invalid' | 'unauthenticated' | 'forbidden' | 'not-found' | 'lookup-failed' | 'unavailable';

/** An error whose message may be shown to the caller. Everything that must stay inside goes into `cause`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;

  /**
   * @param code what kind of failure this is
   * @param message one sentence for the caller: no stack, driver message or internal host name
   * @param options `cause`: the error underneath, for the log alone
   */
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * What refuses to open or to begin as things are set up: a store of another network, a server that was not prepared, a URL
 * that nothing can open. Its message is for the operator: it names what is wrong and what to do, and holds no secret.
 */
export class RefusalError extends Error {
  override readonly name: string = 'RefusalError';
}

/** Whether `error` is an {@link AppError} with this code. */
export function hasCode(error: unknown, code: ErrorCode): error is AppError {
  return error instanceof AppError && error.code === code;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Error codes of the product, independent of transport: service-kit maps a code to an HTTP status, message-bus
 * maps one to a dead letter or a retry.
 *
 * - `invalid`: the input is malformed or out of bounds; the same input can never succeed.
 * - `unauthenticated`: the session key is invalid.
 * - `forbidden`: the caller lacks permission.
 * - `not-found`: the named resource does not exist.
 * - `lookup-failed`: a third-party service that the request depends on failed.
 * - `unavailable`: a dependency is down or overloaded; the same input may succeed later.
 */
export type ErrorCode = 'invalid' | 'unauthenticated' | 'forbidden' | 'not-found' | 'lookup-failed' | 'unavailable';

/** An error whose message may be shown to the caller. Internal details belong into `cause`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;

  /**
   * @param code kind of the failure
   * @param message one sentence for the caller: no stack, driver message or internal host name
   * @param options `cause`: the error underneath, for the log alone
   */
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * A misconfiguration that prevents startup: a store of another network, an unprepared server, an unusable URL. The
 * message tells the operator the problem and its solution, and contains no secret.
 */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}

/** Whether `error` is an {@link AppError} with this code. */
export function hasCode(error: unknown, code: ErrorCode): error is AppError {
  return error instanceof AppError && error.code === code;
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { AppError, messageOf, StartupError } from '@lobbystats/contracts/errors';
import {
  MongoBulkWriteError,
  MongoDriverError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';

const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;
const DUPLICATE_KEY = 11_000;

/**
 * Transient server errors: network, timeouts, elections, shutdown, full disk, conflicts, cache pressure, and permissions
 * that are being changed.
 */
const TRANSIENT_CODES = new Set([
  6, 7, 9, 24, 46, 50, 64, 79, 89, 91, 100, 112, 133, 134, 136, 189, 202, 237, 238, 246, 251, 262, 290, 317, 388, 391,
  9001, 10_107, 11_600, 11_601, 11_602, 13_388, 13_435, 13_436, 14_031, 50_915,
]);
const TRANSIENT_LABELS = ['TransientTransactionError', 'UnknownTransactionCommitResult', 'RetryableWriteError'];
const TRANSIENT_NAMES = new Set(['MongoPoolClearedError', 'MongoPoolClosedError', 'MongoWaitQueueTimeoutError']);
/** Node's errors of a connection that the server just closed. */
const SOCKET_CODES = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

export function isTransient(error: unknown): boolean {
  if (!(error instanceof MongoError)) return isSocketError(error);
  // The cause of an interrupted bulk write, which may lack its labels.
  if (error instanceof MongoBulkWriteError && isTransient(error.errorResponse)) return true;
  if (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoOperationTimeoutError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoTopologyClosedError
  ) {
    return true;
  }
  if (error instanceof MongoDriverError && TRANSIENT_NAMES.has(error.name)) return true;
  return TRANSIENT_CODES.has(Number(error.code)) || TRANSIENT_LABELS.some((label) => error.hasErrorLabel(label));
}

function isSocketError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && SOCKET_CODES.has(String(error.code));
}

function isAuthorizationError(error: unknown): boolean {
  return error instanceof MongoServerError && [UNAUTHORIZED, AUTHENTICATION_FAILED].includes(Number(error.code));
}

/** Maps transient errors to `unavailable`. */
export function toStoreError(error: unknown): unknown {
  if (!isTransient(error) && !isAuthorizationError(error)) return error;
  return new AppError('unavailable', 'The store is not available', { cause: error });
}

/** Describes the error to the operator. `where`: host, port and database. */
export function toOpenError(error: unknown, where: string, user: string): unknown {
  if (isAuthorizationError(error)) {
    const what =
      Number((error as MongoServerError).code) === UNAUTHORIZED
        ? `the user "${user}" lacks the required permissions`
        : `the user "${user}" was rejected: wrong name or password`;
    return new StartupError(`MongoDB at ${where}: ${what}; the init job creates and corrects users`, { cause: error });
  }
  if (!isTransient(error)) return error;
  return new AppError('unavailable', `MongoDB at ${where} is unavailable: ${messageOf(error)}`, { cause: error });
}

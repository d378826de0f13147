/** In milliseconds, retries included. */
export const OPERATION_TIMEOUT_MS = 2000;
/** For operations that an HTTP request waits for. */
export const REQUEST_TIMEOUT_MS = 700;

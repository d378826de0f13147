import { backoffMs, delay } from './delay.ts';
import { ApiError, ConnectionError } from './errors.ts';

/** A longer Retry-After is left to the caller. */
const LONGEST_RETRY_AFTER_SECONDS = 30;
const BACKOFF = { firstMs: 250, longestMs: 4000 };

export interface RetryOptions {
  readonly method: string;
  /** Attempts after the first one. */
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Repeats a request that the server refused for now. A write is repeated only after 429: after a lost connection or a
 * 503, it may have been carried out.
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { method, retries, signal }: RetryOptions,
): Promise<Result> {
  for (let done = 0; ; done += 1) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = done < retries ? retryDelayMs(error, method === 'GET', done) : undefined;
      if (waitMs === undefined) throw error;
      await delay(waitMs, signal);
    }
  }
}

/** @returns undefined if the request must not be repeated */
function retryDelayMs(error: unknown, isRead: boolean, done: number): number | undefined {
  // A connection error without a cause is a response of an intermediary.
  if (error instanceof ConnectionError)
    return isRead && error.cause !== undefined ? backoffMs(done, BACKOFF) : undefined;
  if (!(error instanceof ApiError)) return undefined;
  const { status, retryAfterSeconds } = error;
  const isRefused = status === 429 || (status === 503 && isRead);
  if (!isRefused || retryAfterSeconds === undefined || retryAfterSeconds > LONGEST_RETRY_AFTER_SECONDS)
    return undefined;
  // Clients that were refused at the same time must not return at the same time.
  return retryAfterSeconds * 1000 + backoffMs(0, BACKOFF);
}

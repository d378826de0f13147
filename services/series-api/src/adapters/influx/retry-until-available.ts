import { hasCode } from '@lobbystats/errors';
import pRetry from 'p-retry';

/** Delay before an unreachable server is tried again. */
const RETRY_INTERVAL_MS = 500;

/**
 * Retries while a server is starting.
 *
 * @throws the last error if it is still `unavailable` after `waitMs`; any other error at once
 */
export function retryUntilAvailable<T>(ask: () => Promise<T>, waitMs: number): Promise<T> {
  return pRetry(ask, {
    retries: Infinity,
    factor: 1,
    minTimeout: RETRY_INTERVAL_MS,
    maxRetryTime: waitMs,
    shouldRetry: ({ error }) => hasCode(error, 'unavailable'),
  });
}

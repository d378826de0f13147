import { hasCode } from '@lobbystats/errors';
import pRetry from 'p-retry';

/** How long to wait before a server that is away is asked again. */
const AGAIN_AFTER_MS = 500;

/**
 * Retries while a server is starting.
 *
 * @throws what `ask` threw last, when it was still `unavailable` at the end; anything else at once
 */
export function waitFor<T>(ask: () => Promise<T>, waitMs: number): Promise<T> {
  return pRetry(ask, {
    retries: Infinity,
    factor: 1,
    minTimeout: AGAIN_AFTER_MS,
    maxRetryTime: waitMs,
    shouldRetry: ({ error }) => hasCode(error, 'unavailable'),
  });
}

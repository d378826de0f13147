import { usernameKey } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { Route } from '@lobbystats/service-kit';
import { createSemaphore, type Semaphore } from '@lobbystats/service-kit/concurrency';

/** Writes of one account that wait, and how long: less than a response may take. */
const [WAITING_MAX, WAIT_MS] = [40, 600];

/**
 * Returns the routes, whose writes of one account run one after the other: in parallel they would conflict in the store,
 * and take its connections from other accounts.
 */
export function oneWriteAtATime(routes: readonly Route[]): Route[] {
  const accounts = new Map<string, Semaphore>();
  return routes.map((route) => {
    const { operation, handler } = route;
    if (operation.method === 'GET' || operation.session !== 'required') return route;
    return {
      ...route,
      handler: async (input) => {
        const key = usernameKey(input.caller?.username ?? '');
        const writes = accounts.get(key) ?? createSemaphore({ ...ONE, waitMs: WAIT_MS, createError: tooMany });
        accounts.set(key, writes);
        try {
          return await writes.run(handler, input);
        } finally {
          if (writes.running + writes.waiting === 0) accounts.delete(key);
        }
      },
    };
  });
}

const ONE = { permits: 1, maxWaiting: WAITING_MAX };

function tooMany(): AppError {
  return new AppError('unavailable', 'Too many changes of this account at once, try again');
}

import { AppError } from '@lobbystats/errors';
import type { Route } from './route.ts';

/**
 * The same route, which says `unavailable` when its answer isn't there in time: a store that hangs must not make the public
 * wait as long as a consumer would.
 */
export function inTime({ operation, handler }: Route, withinMs: number): Route {
  return {
    operation,
    handler: async (input) => {
      const { promise: tooLate, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        reject(new AppError('unavailable', 'The store does not answer in time'));
      }, withinMs);
      try {
        return await Promise.race([handler(input), tooLate]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

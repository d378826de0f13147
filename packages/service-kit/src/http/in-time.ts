import { promptly } from './promptly.ts';
import type { Route } from './route.ts';

/**
 * The same route, which says `unavailable` when its answer isn't there in time: a store that hangs must not make the public
 * wait as long as a consumer would.
 */
export function inTime({ operation, handler }: Route, withinMs: number): Route {
  const bounded = promptly(withinMs);
  return { operation, handler: (input) => bounded(() => handler(input)) };
}

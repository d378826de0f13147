import { setTimeout as elapse } from 'node:timers/promises';
import { hasCode } from '@lobbystats/errors';

/** How long to wait before a server that is away is asked again. */
const AGAIN_AFTER_MS = 500;

/**
 * Asks a server that may not be up yet, until it answers.
 *
 * @throws what `ask` threw last, when it was still `unavailable` at the end; anything else at once
 */
export async function waitFor<T>(ask: () => Promise<T>, waitMs: number): Promise<T> {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!hasCode(error, 'unavailable') || performance.now() + AGAIN_AFTER_MS > until) throw error;
    }
    await elapse(AGAIN_AFTER_MS);
  }
}

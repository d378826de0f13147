import { AppError } from '@lobbystats/errors';
import type { MongoStore } from '@lobbystats/mongo-store';
import type { ClientSession } from 'mongodb';

/**
 * Gives up early, so that abandoned requests don't pile up during an outage. `work` checks `checkDeadline` between
 * operations.
 *
 * @param withinMs the timeout; default: that of the store
 */
export function inTransaction<T>(
  store: MongoStore,
  withinMs: number | undefined,
  work: (session: ClientSession, checkDeadline: () => void) => Promise<T>,
): Promise<T> {
  const endMs = performance.now() + (withinMs ?? Infinity);
  return store.transaction(async (session, storeWants) => {
    const checkDeadline = () => {
      storeWants();
      if (performance.now() >= endMs) throw new AppError('unavailable', 'The store does not answer in time');
    };
    checkDeadline();
    return work(session, checkDeadline);
  });
}

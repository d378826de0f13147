import { AppError } from '@lobbystats/errors';
import type { MongoStore } from '@lobbystats/mongo-store';
import type { ClientSession } from 'mongodb';

/**
 * A transaction that is given up early: while MongoDB is away, those whose callers have gone don't pile up.
 *
 * @param withinMs when; undefined: as late as the store does
 * @param work asks `stillWanted` between its operations
 */
export function inTransaction<T>(
  store: MongoStore,
  withinMs: number | undefined,
  work: (session: ClientSession, stillWanted: () => void) => Promise<T>,
): Promise<T> {
  const endMs = performance.now() + (withinMs ?? Infinity);
  return store.transaction(async (session, storeWants) => {
    const stillWanted = () => {
      storeWants();
      if (performance.now() >= endMs) throw new AppError('unavailable', 'The store does not answer in time');
    };
    stillWanted();
    return work(session, stillWanted);
  });
}

import { chunk } from '../concurrency/index.ts';
import type { AnyBulkWriteOperation, ClientSession, Collection, Document, Filter, UpdateFilter } from 'mongodb';
import type { MongoStore } from './mongo-store.ts';

export { REQUEST_TIMEOUT_MS } from './timeouts.ts';

/** An abandoned commit blocks others until its sent operation ends, so each sends little at once. */
const ROWS_PER_WRITE = 1000;

export type CommitStep = (session: ClientSession) => Promise<unknown>;

/** The first write of a commit. */
interface RevisionMove<Row extends Document> {
  readonly rows: Collection<Row>;
  /** Matches the row at the expected revision. */
  readonly from: Filter<Row>;
  readonly to: UpdateFilter<Row>;
}

/** Steps in one transaction after the revision moved. False when it wasn't the expected one; nothing changes then. */
export function commitSteps<Row extends Document>(
  store: MongoStore,
  { rows, from, to }: RevisionMove<Row>,
  steps: readonly CommitStep[],
): Promise<boolean> {
  return store.transaction(async (session, checkDeadline) => {
    const { matchedCount } = await rows.updateOne(from, to, { session, ignoreUndefined: true });
    if (matchedCount === 0) return false;
    for (const step of steps) {
      checkDeadline();
      await step(session);
    }
    return true;
  });
}

export function writeSteps<Row extends Document>(
  store: MongoStore,
  collection: string,
  writes: readonly AnyBulkWriteOperation<Row>[],
): CommitStep[] {
  const rows = store.collection<Row>(collection);
  return chunk(writes, ROWS_PER_WRITE).map(
    (some) => (session) => rows.bulkWrite(some, { session, ignoreUndefined: true }),
  );
}

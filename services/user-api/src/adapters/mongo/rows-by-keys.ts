import type { MongoStore } from '@lobbystats/mongo-store';
import type { Collection, Document, Filter, FindOptions, WithId } from 'mongodb';
import { slices } from '../../domain/slices.ts';

/** A query may be 16 MB, and may take two seconds. */
const KEYS_AT_ONCE = 10_000;

/** A collection, and how it is asked. */
interface Asked<Row extends Document> {
  readonly rows: Collection<Row>;
  readonly filter: (keys: readonly string[]) => Filter<Row>;
  readonly options?: FindOptions;
}

/** All rows of some keys, however many those are. */
export async function rowsByKeys<Row extends Document>(
  store: MongoStore,
  keys: readonly string[],
  { rows, filter, options = {} }: Asked<Row>,
): Promise<WithId<Row>[]> {
  const found: WithId<Row>[][] = [];
  for (const some of slices(keys, KEYS_AT_ONCE)) {
    // In one answer, where the driver would ask for a hundred first.
    const cursor = rows.find(filter(some), { ...options, batchSize: 2 * KEYS_AT_ONCE });
    found.push(await store.run(() => cursor.toArray()));
  }
  return found.flat();
}

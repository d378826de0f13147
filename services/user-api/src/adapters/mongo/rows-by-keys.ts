import type { MongoStore } from '@lobbystats/mongo-store';
import type { Collection, Document, Filter, FindOptions, WithId } from 'mongodb';
import { slices } from '../../domain/slices.ts';

/** Keeps a query below 16 MB and two seconds. */
const KEYS_AT_ONCE = 10_000;

interface Asked<Row extends Document> {
  readonly rows: Collection<Row>;
  readonly filter: (keys: readonly string[]) => Filter<Row>;
  readonly options?: FindOptions;
}

export async function rowsByKeys<Row extends Document>(
  store: MongoStore,
  keys: readonly string[],
  { rows, filter, options = {} }: Asked<Row>,
): Promise<WithId<Row>[]> {
  const found: WithId<Row>[][] = [];
  for (const some of slices(keys, KEYS_AT_ONCE)) {
    // One batch, where the driver would fetch a hundred first.
    const cursor = rows.find(filter(some), { ...options, batchSize: 2 * KEYS_AT_ONCE });
    found.push(await store.run(() => cursor.toArray()));
  }
  return found.flat();
}

import { chunk } from '@lobbystats/concurrency';
import type { MongoStore } from '@lobbystats/mongo-store';
import type { Collection, Document, Filter, FindOptions, WithId } from 'mongodb';

/** Keeps a query below 16 MB and two seconds. */
const KEYS_PER_QUERY = 10_000;

interface KeyQuery<Row extends Document> {
  readonly rows: Collection<Row>;
  readonly filter: (keys: readonly string[]) => Filter<Row>;
  readonly options?: FindOptions;
}

export async function rowsByKeys<Row extends Document>(
  store: MongoStore,
  keys: readonly string[],
  { rows, filter, options = {} }: KeyQuery<Row>,
): Promise<WithId<Row>[]> {
  const found: WithId<Row>[][] = [];
  for (const some of chunk(keys, KEYS_PER_QUERY)) {
    // One batch, where the driver would fetch a hundred first.
    const cursor = rows.find(filter(some), { ...options, batchSize: 2 * KEYS_PER_QUERY });
    found.push(await store.run(() => cursor.toArray()));
  }
  return found.flat();
}

import type { Fact } from '@lobbystats/contracts';
import type { MongoOutbox, MongoStore } from '@lobbystats/mongo-store';
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import type { ChangeRow, CountRow, EntryRow } from './board-rows.ts';

/** What is sent to the server at once: writes to one collection in their order, or facts for the outbox. It can be said in JSON. */
export type RowStep =
  | { readonly collection: 'entry'; readonly writes: readonly AnyBulkWriteOperation<EntryRow>[] }
  | { readonly collection: 'change'; readonly writes: readonly AnyBulkWriteOperation<ChangeRow>[] }
  | { readonly collection: 'change_count'; readonly writes: readonly AnyBulkWriteOperation<CountRow>[] }
  | { readonly facts: readonly Fact[] };

/** Does a step within a transaction. */
export async function perform(
  step: RowStep,
  { store, outbox, session }: { store: MongoStore; outbox: MongoOutbox; session: ClientSession },
): Promise<void> {
  if ('facts' in step) await outbox.add(step.facts, session);
  else await store.collection(step.collection).bulkWrite([...step.writes] as AnyBulkWriteOperation[], { session });
}

/** A fact tells of hundreds of changes, and is as large as their rows. */
const ROWS_PER_FACT = 400;

/** How many rows these steps write, about. */
export function rowsOf(steps: readonly RowStep[]): number {
  const rows = (step: RowStep) =>
    'facts' in step
      ? step.facts.length * ROWS_PER_FACT
      : step.writes.reduce((sum, write) => sum + rowsOfWrite(write), 0);
  return steps.reduce((sum, step) => sum + rows(step), 0);
}

/** Writes in their order, in portions of so many rows. */
export function portions<Write extends object>(writes: readonly Write[], limit: number): Write[][] {
  return gathered(writes, limit, rowsOfWrite);
}

/**
 * Items in their order, gathered until the next would be too much.
 *
 * @param goesAlong whether one belongs to those before it, however many they are
 */
export function gathered<Item>(
  items: readonly Item[],
  limit: number,
  rowsOfItem: (item: Item) => number,
  goesAlong: (item: Item) => boolean = () => false,
): Item[][] {
  const all: Item[][] = [];
  let rows = Infinity;
  for (const item of items) {
    const more = rowsOfItem(item);
    if (rows + more > limit && !goesAlong(item)) {
      all.push([]);
      rows = 0;
    }
    all.at(-1)?.push(item);
    rows += more;
  }
  return all;
}

/** Items in their order, so many at a time. */
export function slices<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** A statement for many names their keys. */
function rowsOfWrite(write: object): number {
  const [about] = Object.values(write) as { filter?: { _id?: { $in?: readonly unknown[] } } }[];
  return about?.filter?._id?.$in?.length ?? 1;
}

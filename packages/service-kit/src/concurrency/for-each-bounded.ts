/** Starts nothing after the first failure, waits for what is running, then rejects with it. */
export async function forEachBounded<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    try {
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
        if (failures.length > 0) return;
        await work(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failures.length === 0) return;
  await iterator.return?.();
  throw failures[0];
}

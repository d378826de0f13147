import { hasCode } from '@lobbystats/contracts/errors';

export type ItemResult<Result> = { readonly result: Result } | { readonly error: unknown };

const MAX_BATCH = 100;

interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A keyed batcher: one batch at a time for each key, in order of arrival; keys run concurrently. */
export class KeyedBatcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly ItemResult<Result>[]>;
  readonly #waiting = new Map<string, PendingItem<Item, Result>[]>();

  constructor(work: (items: readonly Item[]) => Promise<readonly ItemResult<Result>[]>) {
    this.#work = work;
  }

  /**
   * Queues an item for the next batch of its key.
   *
   * @throws AppError `unavailable` at once when the previous batch found the store unavailable
   */
  add(key: string, item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) void this.#run(key, [{ item, resolve, reject }]);
    else waiting.push({ item, resolve, reject });
    return promise;
  }

  async #run(key: string, first: PendingItem<Item, Result>[]): Promise<void> {
    const waiting = first;
    this.#waiting.set(key, waiting);
    while (waiting.length > 0) {
      const some = waiting.splice(0, MAX_BATCH);
      try {
        const settled = await this.#work(some.map(({ item }) => item));
        for (const [index, { resolve, reject }] of some.entries()) {
          const one = settled[index] ?? { error: new Error('The batch returned no result for an item') };
          if ('result' in one) resolve(one.result);
          else reject(one.error);
        }
      } catch (error) {
        if (hasCode(error, 'unavailable')) some.push(...waiting.splice(0));
        for (const { reject } of some) reject(error);
      }
    }
    this.#waiting.delete(key);
  }
}

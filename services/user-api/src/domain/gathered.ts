import { hasCode } from '@lobbystats/errors';

export type Settled<Result> = { readonly result: Result } | { readonly error: unknown };

const AT_ONCE = 100;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A keyed batcher: one batch at a time for each key, in order of arrival; keys run concurrently. */
export class Gathered<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Settled<Result>[]>;
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();

  constructor(work: (items: readonly Item[]) => Promise<readonly Settled<Result>[]>) {
    this.#work = work;
  }

  /**
   * Fails at once when the batch before found no store.
   *
   * @throws AppError `unavailable` also when that before it found no store: it would wait as long for the same
   */
  take(key: string, item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) void this.#run(key, [{ item, resolve, reject }]);
    else waiting.push({ item, resolve, reject });
    return promise;
  }

  async #run(key: string, first: Waiting<Item, Result>[]): Promise<void> {
    const waiting = first;
    this.#waiting.set(key, waiting);
    while (waiting.length > 0) {
      const some = waiting.splice(0, AT_ONCE);
      try {
        const settled = await this.#work(some.map(({ item }) => item));
        for (const [index, { resolve, reject }] of some.entries()) {
          const one = settled[index] ?? { error: new Error('Something that was to be done is left out') };
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

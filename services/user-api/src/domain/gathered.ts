import { hasCode } from '@lobbystats/errors';

/** What became of one of the things that were done together. */
export type Settled<Result> = { readonly result: Result } | { readonly error: unknown };

/** How many are done together, at most. */
const AT_ONCE = 100;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Work on one thing at a time: what comes meanwhile is gathered, and done together when it is its turn, in the order in which
 * it came. Different things are worked on at once.
 */
export class Gathered<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Settled<Result>[]>;
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();

  /** @param work what became of each item, in their order; when it rejects it was so for all of them */
  constructor(work: (items: readonly Item[]) => Promise<readonly Settled<Result>[]>) {
    this.#work = work;
  }

  /** @throws AppError `unavailable` also when that before it found no store: it would wait as long for the same */
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

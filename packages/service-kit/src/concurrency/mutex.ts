import { hasCode } from '@lobbystats/contracts/errors';

/** Creates a mutex: runs work in the order of the calls, whether earlier work succeeds or fails. */
export function createMutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };
}

export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs after all earlier work for the key.
   *
   * @throws AppError `unavailable` at once when the previous work found the store unavailable
   */
  async runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const current = before.then(work, (error: unknown) => {
      if (hasCode(error, 'unavailable')) throw error;
      return work();
    });
    this.#last.set(key, current);
    try {
      return await current;
    } finally {
      if (this.#last.get(key) === current) this.#last.delete(key);
    }
  }
}

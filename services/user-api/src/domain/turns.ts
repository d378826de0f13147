import { hasCode } from '@lobbystats/errors';

export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs after all earlier work for the key. Fails at once when that found no store.
   *
   * @throws AppError `unavailable` when the work before it found no store: whoever stands behind it would wait as long again
   */
  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, (error: unknown) => {
      if (hasCode(error, 'unavailable')) throw error;
      return work();
    });
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}

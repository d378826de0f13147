/** Runs one piece of work for each key at a time, shared by all concurrent callers. */
export class SingleFlight<Key> {
  readonly #running = new Map<Key, Promise<unknown>>();

  /** Joins the running work of the key, or starts it. All calls for a key must return the same type. */
  run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(key) as Promise<Result> | undefined;
    if (running !== undefined) return running;
    const started = work().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }
}

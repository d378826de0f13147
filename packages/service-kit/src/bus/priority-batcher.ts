/** Collects items and processes them together: one batch at a time, urgent items first, then in order of arrival. */
export class PriorityBatcher<Item> {
  readonly #max: number;
  readonly #work: (batch: readonly Item[]) => Promise<void>;
  readonly #urgent: Item[] = [];
  readonly #normal: Item[] = [];
  #draining: Promise<void> | undefined;

  /**
   * @param max largest batch
   * @param work never rejects
   */
  constructor(max: number, work: (batch: readonly Item[]) => Promise<void>) {
    this.#max = max;
    this.#work = work;
  }

  add(item: Item, isUrgent: boolean): void {
    (isUrgent ? this.#urgent : this.#normal).push(item);
    this.#draining ??= this.#drain();
  }

  /** Calls `release` with each waiting item at once; resolves when the running batch is done. */
  async stop(release: (item: Item) => void): Promise<void> {
    for (const item of this.#take(Number.POSITIVE_INFINITY)) release(item);
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // All items of this tick go into the first batch.
    await Promise.resolve();
    for (let batch = this.#take(this.#max); batch.length > 0; batch = this.#take(this.#max)) await this.#work(batch);
    this.#draining = undefined;
  }

  #take(count: number): Item[] {
    const urgent = this.#urgent.splice(0, count);
    return [...urgent, ...this.#normal.splice(0, count - urgent.length)];
  }
}

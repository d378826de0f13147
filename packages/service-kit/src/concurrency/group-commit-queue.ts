import { AppError, hasCode } from '@lobbystats/contracts/errors';

export interface GroupCommitQueueOptions<Item, Outcome> {
  readonly commit: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  /** Monotonic clock in milliseconds. */
  readonly elapsedMs?: () => number;
  /** Longest time a commit waits for more items, while each tick brings some. */
  readonly maxDelayMs: number;
  readonly maxBatch: number;
  readonly maxPending: number;
  /** Names the items in the error of a full queue, such as `ratings`. */
  readonly items: string;
  /** An item is rejected after this time. */
  readonly timeoutMs: number;
}

interface PendingItem<Item, Outcome> {
  readonly item: Item;
  readonly untilMs: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (fault: unknown) => void;
}

/** Group commit: one at a time, with all waiting items. A commit of a hundred costs about as much as one of one. */
export class GroupCommitQueue<Item, Outcome> {
  readonly #options: Required<GroupCommitQueueOptions<Item, Outcome>>;
  #waiting: PendingItem<Item, Outcome>[] = [];
  #running = false;

  constructor(options: GroupCommitQueueOptions<Item, Outcome>) {
    this.#options = { elapsedMs: () => performance.now(), ...options };
  }

  /**
   * Resolves when the item is committed.
   *
   * @throws AppError `unavailable` when the store is unavailable, the queue is full, or the timeout passes
   */
  add(item: Item): Promise<Outcome> {
    const { elapsedMs, maxPending, timeoutMs } = this.#options;
    if (this.#waiting.length >= maxPending) return Promise.reject(this.#rejection());
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.#waiting.push({ item, untilMs: elapsedMs() + timeoutMs, resolve, reject });
    if (!this.#running) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const next = this.#waiting.slice(0, this.#options.maxBatch);
      this.#waiting = this.#waiting.slice(next.length);
      const nowMs = this.#options.elapsedMs();
      const [inTime = [], late = []] = [true, false].map((isInTime) =>
        next.filter(({ untilMs }) => isInTime === nowMs < untilMs),
      );
      for (const { reject } of late) reject(this.#rejection());
      await this.#commit(inTime);
    }
    this.#running = false;
  }

  /** Waits for more items; a single item waits for one tick only. */
  async #gather(): Promise<void> {
    const { elapsedMs, maxDelayMs, maxBatch } = this.#options;
    const untilMs = elapsedMs() + maxDelayMs;
    let before: number;
    do {
      before = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#waiting.length > before && this.#waiting.length < maxBatch && elapsedMs() < untilMs);
  }

  /** Retries the items of a failed batch one by one; rejects all when the store is unavailable. */
  async #commit(waiting: readonly PendingItem<Item, Outcome>[]): Promise<void> {
    if (waiting.length === 0) return;
    try {
      const outcomes = await this.#options.commit(waiting.map(({ item }) => item));
      for (const [index, { resolve, reject }] of waiting.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) reject(new Error('A commit returned no outcome for an item'));
        else resolve(outcome);
      }
    } catch (fault) {
      if (waiting.length === 1 || hasCode(fault, 'unavailable')) for (const { reject } of waiting) reject(fault);
      else for (const one of waiting) await this.#commit([one]);
    }
  }

  #rejection(): AppError {
    return new AppError('unavailable', `Too many ${this.#options.items} come in at once`);
  }
}

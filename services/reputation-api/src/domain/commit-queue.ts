import { AppError, hasCode } from '@lobbystats/errors';

export interface CommitQueueOptions<Wish, Outcome> {
  readonly commit: (wishes: readonly Wish[]) => Promise<readonly Outcome[]>;
  readonly pause: () => Promise<void>;
  readonly elapsedMs: () => number;
  /** Longest time a commit waits for more, while each turn brings some. */
  readonly gatherMs: number;
  readonly together: number;
  readonly waiting: number;
  /** In milliseconds; afterwards nobody waits for the result. */
  readonly withinMs: number;
}

interface Waiting<Wish, Outcome> {
  readonly wish: Wish;
  readonly untilMs: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (fault: unknown) => void;
}

/** Group commit: one at a time, with all waiting items. A commit of a hundred costs about as much as one of one. */
export class CommitQueue<Wish, Outcome> {
  readonly #options: CommitQueueOptions<Wish, Outcome>;
  #waiting: Waiting<Wish, Outcome>[] = [];
  #running = false;

  constructor(options: CommitQueueOptions<Wish, Outcome>) {
    this.#options = options;
  }

  /**
   * Rejects when it can't be stored, the queue is full, or the wait is too long.
   *
   * @throws AppError `unavailable` when it couldn't be made so, when too many wait, or when it would have to wait too long
   */
  add(wish: Wish): Promise<Outcome> {
    const { elapsedMs, waiting, withinMs } = this.#options;
    if (this.#waiting.length >= waiting) return Promise.reject(tooMany());
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.#waiting.push({ wish, untilMs: elapsedMs() + withinMs, resolve, reject });
    if (!this.#running) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const next = this.#waiting.slice(0, this.#options.together);
      this.#waiting = this.#waiting.slice(next.length);
      const nowMs = this.#options.elapsedMs();
      const [inTime = [], late = []] = [true, false].map((isInTime) =>
        next.filter(({ untilMs }) => isInTime === nowMs < untilMs),
      );
      for (const { reject } of late) reject(tooMany());
      await this.#commit(inTime);
    }
    this.#running = false;
  }

  /** A single item waits for one turn only. */
  async #gather(): Promise<void> {
    const { pause, elapsedMs, gatherMs, together } = this.#options;
    const untilMs = elapsedMs() + gatherMs;
    let before: number;
    do {
      before = this.#waiting.length;
      await pause();
    } while (this.#waiting.length > before && this.#waiting.length < together && elapsedMs() < untilMs);
  }

  /** An item that can't be committed fails alone; without a store all fail. */
  async #commit(waiting: readonly Waiting<Wish, Outcome>[]): Promise<void> {
    if (waiting.length === 0) return;
    try {
      const outcomes = await this.#options.commit(waiting.map(({ wish }) => wish));
      waiting.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) reject(new Error('A commit has no outcome for one of its wishes'));
        else resolve(outcome);
      });
    } catch (fault) {
      if (waiting.length === 1 || hasCode(fault, 'unavailable')) for (const { reject } of waiting) reject(fault);
      else for (const one of waiting) await this.#commit([one]);
    }
  }
}

function tooMany(): AppError {
  return new AppError('unavailable', 'Too many ratings come in at once');
}

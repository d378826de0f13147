import { AppError, hasCode } from '@lobbystats/errors';

export interface CommitQueueOptions<Wish, Outcome> {
  /** Makes wishes durable together, or none of them; their outcomes in their order. */
  readonly commit: (wishes: readonly Wish[]) => Promise<readonly Outcome[]>;
  /** Lets others have their turn, so that wishes that come in meanwhile join. */
  readonly pause: () => Promise<void>;
  /** Milliseconds that never go back. */
  readonly elapsedMs: () => number;
  /** How long a commit waits for others to join, in milliseconds, at most: while turn after turn brings some. */
  readonly gatherMs: number;
  /** How many are committed together, at most. */
  readonly together: number;
  /** How many may wait, at most. */
  readonly waiting: number;
  /** How long a wish may wait for its turn, in milliseconds: nobody waits for its outcome any more by then. */
  readonly withinMs: number;
}

interface Waiting<Wish, Outcome> {
  readonly wish: Wish;
  readonly untilMs: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * Joins what many want at once into few commits: one at a time, each with all that waits by then. Making one durable costs
 * about as much as making a hundred so, and those that change one record would be in each other's way.
 */
export class CommitQueue<Wish, Outcome> {
  readonly #options: CommitQueueOptions<Wish, Outcome>;
  #waiting: Waiting<Wish, Outcome>[] = [];
  #running = false;

  constructor(options: CommitQueueOptions<Wish, Outcome>) {
    this.#options = options;
  }

  /**
   * Resolves when the wish is durable.
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

  /** Who is alone waits for one turn. */
  async #gather(): Promise<void> {
    const { pause, elapsedMs, gatherMs, together } = this.#options;
    const untilMs = elapsedMs() + gatherMs;
    let before: number;
    do {
      before = this.#waiting.length;
      await pause();
    } while (this.#waiting.length > before && this.#waiting.length < together && elapsedMs() < untilMs);
  }

  /** A wish that can't be committed fails alone; with a store that is away all do. */
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

import { DebtTokenBucket, type DebtTokenBucketOptions } from '@lobbystats/service-kit/concurrency';
import { FairQueue } from './fair-queue.ts';

export interface QuerySchedulerOptions extends DebtTokenBucketOptions {
  waitMs: number;
  /** Largest number of queued queries. */
  maxQueueLength: number;
}

/** The queue is full, or the wait would be too long. */
export class QueryRejectedError extends Error {
  override readonly name = 'QueryRejectedError';
  readonly retryAfterSeconds: number;

  constructor(reason: string, seconds: number) {
    super(reason);
    this.retryAfterSeconds = seconds;
  }
}

/** Ends the query and returns its duration in milliseconds. Idempotent. */
export type ReleaseQuery = () => number;

const BUSY = 'Another query takes long';
const SHARE_EXHAUSTED = 'The share of time for queries is used up';

/** Smallest `Retry-After`. */
const MIN_RETRY_AFTER_SECONDS = 5;

/** One query at a time, for a share of the time, fair between clients. */
export class QueryScheduler {
  readonly #options: QuerySchedulerOptions;
  readonly #bucket: DebtTokenBucket;
  readonly #queue = new FairQueue<() => void>();
  #isBusy = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: QuerySchedulerOptions) {
    this.#options = options;
    this.#bucket = new DebtTokenBucket(options);
  }

  /**
   * Waits until the query may run. Clients are served in turn.
   *
   * @param who identifies the client
   * @param signal removes the query from the queue when aborted
   * @throws QueryRejectedError at once when the queue is full or the debt exceeds `waitMs`, else after `waitMs`; the
   *   signal's reason when it is aborted
   */
  async acquire(who: string, signal: AbortSignal): Promise<ReleaseQuery> {
    const { waitMs, maxQueueLength } = this.#options;
    signal.throwIfAborted();
    if (this.#bucket.retryAfterMs() > waitMs) throw this.#rejection(SHARE_EXHAUSTED);
    if (this.#queue.size >= maxQueueLength) throw this.#rejection('Too many queries wait');
    const { promise, resolve, reject } = Promise.withResolvers<ReleaseQuery>();
    const entry = this.#queue.enqueue(who, () => resolve(this.#start()));
    const leave = (reason: unknown) => {
      entry.remove();
      reject(reason);
    };
    const onAbort = () => leave(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => leave(this.#rejection(this.#isBusy ? BUSY : SHARE_EXHAUSTED)), waitMs);
    this.#admit();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #admit(): void {
    if (this.#isBusy || this.#queue.size === 0) return;
    const debtMs = this.#bucket.retryAfterMs();
    if (debtMs === 0) {
      this.#queue.dequeue()?.();
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#admit();
    }, debtMs);
  }

  #start(): ReleaseQuery {
    const began = this.#options.now();
    this.#isBusy = true;
    let tookMs: number | undefined;
    return () => {
      if (tookMs === undefined) {
        tookMs = this.#options.now() - began;
        this.#isBusy = false;
        this.#bucket.charge(tookMs);
        this.#admit();
      }
      return tookMs;
    };
  }

  #rejection(reason: string): QueryRejectedError {
    return new QueryRejectedError(
      reason,
      Math.max(MIN_RETRY_AFTER_SECONDS, Math.ceil(this.#bucket.retryAfterMs() / 1000)),
    );
  }
}

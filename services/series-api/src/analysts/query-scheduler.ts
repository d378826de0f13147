import { DebtTokenBucket, KeyedTokenBuckets, type DebtTokenBucketOptions } from '@lobbystats/service-kit/concurrency';
import { FairQueue } from './fair-queue.ts';

/** `share` and `burstMs` limit all clients together. */
export interface QuerySchedulerOptions extends DebtTokenBucketOptions {
  /** Largest credit of one client, who may use the same share. */
  clientBurstMs: number;
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

/**
 * One query at a time, for a share of the time, fair between clients: each pays for its own queries, and waits for
 * others only when all of them together exceed the share.
 */
export class QueryScheduler {
  readonly #options: QuerySchedulerOptions;
  readonly #all: DebtTokenBucket;
  readonly #clients: KeyedTokenBuckets;
  readonly #queue = new FairQueue<() => void>();
  #isBusy = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: QuerySchedulerOptions) {
    this.#options = options;
    this.#all = new DebtTokenBucket(options);
    this.#clients = new KeyedTokenBuckets({ ...options, burstMs: options.clientBurstMs });
  }

  /**
   * Waits until the query may run. Clients are served in turn.
   *
   * @param who identifies the client
   * @param signal removes the query from the queue when aborted
   * @throws QueryRejectedError at once when the queue is full or the client's wait would exceed `waitMs`, else after `waitMs`; the
   *   signal's reason when it is aborted
   */
  async acquire(who: string, signal: AbortSignal): Promise<ReleaseQuery> {
    const { waitMs, maxQueueLength } = this.#options;
    signal.throwIfAborted();
    if (this.#retryAfterMs(who) > waitMs) throw this.#rejection(who, SHARE_EXHAUSTED);
    if (this.#queue.size >= maxQueueLength) throw this.#rejection(who, 'Too many queries wait');
    const { promise, resolve, reject } = Promise.withResolvers<ReleaseQuery>();
    const entry = this.#queue.enqueue(who, () => resolve(this.#start(who)));
    const leave = (reason: unknown) => {
      entry.remove();
      reject(reason);
    };
    const onAbort = () => leave(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => {
      leave(this.#rejection(who, this.#retryAfterMs(who) > 0 ? SHARE_EXHAUSTED : BUSY));
    }, waitMs);
    this.#admit();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #admit(): void {
    if (this.#isBusy) return;
    clearTimeout(this.#timer);
    const next = this.#queue.dequeue((who) => this.#retryAfterMs(who) === 0);
    if (next !== undefined) next();
    else if (this.#queue.size > 0) {
      const waits = this.#queue.names().map((who) => this.#retryAfterMs(who));
      this.#timer = setTimeout(() => this.#admit(), Math.min(...waits));
    }
  }

  /** Until neither the client nor all of them together are in debt. */
  #retryAfterMs(who: string): number {
    return Math.max(this.#clients.of(who).retryAfterMs(), this.#all.retryAfterMs());
  }

  #start(who: string): ReleaseQuery {
    const began = this.#options.now();
    this.#isBusy = true;
    let tookMs: number | undefined;
    return () => {
      if (tookMs === undefined) {
        tookMs = this.#options.now() - began;
        this.#isBusy = false;
        for (const bucket of [this.#clients.of(who), this.#all]) bucket.charge(tookMs);
        this.#admit();
      }
      return tookMs;
    };
  }

  #rejection(who: string, reason: string): QueryRejectedError {
    return new QueryRejectedError(reason, Math.max(MIN_RETRY_AFTER_SECONDS, Math.ceil(this.#retryAfterMs(who) / 1000)));
  }
}

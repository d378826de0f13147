import { AppError } from '@lobbystats/errors';
import PQueue from 'p-queue';
import { AuthServiceError, type Verification } from './auth-service.ts';

export interface VerificationQueueOptions {
  verify: (key: string, mark: string) => Promise<Verification>;
  concurrency: number;
  maxWaiting: number;
  waitMs: number;
  onResult: (fault: unknown) => void;
}

/** Consecutive failures after which the service counts as down. */
const DOWN_AFTER_FAULTS = 3;

/**
 * A bounded queue of keys that the auth service verifies. Requests with the same key share one verification. While the
 * service is down, one request at a time probes it and all others fail at once.
 */
export class VerificationQueue {
  readonly #options: VerificationQueueOptions;
  readonly #queue: PQueue;
  readonly #pending = new Map<string, Promise<Verification>>();
  #faults = 0;

  constructor(options: VerificationQueueOptions) {
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.concurrency });
  }

  /**
   * `mark`: the key's hash. Without `mayWait` it fails at once when no permit is free.
   *
   * @throws AppError `unavailable` when the key could not be verified
   */
  verify(key: string, mark: string, mayWait: boolean): Promise<Verification> {
    const pending = this.#pending.get(mark);
    if (pending !== undefined) return pending;
    if (!this.#accepts(mayWait)) return Promise.reject(unavailable());
    const verdict = this.#enqueue(key, mark).finally(() => this.#pending.delete(mark));
    // A read may have stopped waiting before a late failure.
    verdict.catch(() => undefined);
    this.#pending.set(mark, verdict);
    return verdict;
  }

  #accepts(mayWait: boolean): boolean {
    const { concurrency, maxWaiting } = this.#options;
    const running = this.#queue.pending;
    if (this.#faults >= DOWN_AFTER_FAULTS && running > 0) return false;
    return running < concurrency || (mayWait && this.#queue.size < maxWaiting);
  }

  async #enqueue(key: string, mark: string): Promise<Verification> {
    // p-queue's timeout starts with the task; this one ends there.
    const waiting = new AbortController();
    const timer = setTimeout(() => {
      waiting.abort(unavailable());
    }, this.#options.waitMs);
    const task = () => {
      clearTimeout(timer);
      return this.#run(key, mark);
    };
    return this.#queue.add(task, { signal: waiting.signal });
  }

  async #run(key: string, mark: string): Promise<Verification> {
    try {
      const verdict = await this.#options.verify(key, mark);
      this.#onResult(undefined);
      return verdict;
    } catch (cause) {
      this.#onResult(cause);
      throw unavailable(cause);
    }
  }

  #onResult(fault: unknown): void {
    this.#faults = isOutage(fault) ? this.#faults + 1 : 0;
    this.#options.onResult(fault);
  }
}

function isOutage(fault: unknown): boolean {
  return fault !== undefined && !(fault instanceof AuthServiceError && fault.isKeySpecific);
}

function unavailable(cause?: unknown): AppError {
  return new AppError('unavailable', 'Sessions can not be checked at the moment, try again soon', { cause });
}

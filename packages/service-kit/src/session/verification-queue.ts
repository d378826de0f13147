import { AppError } from '@lobbystats/contracts/errors';
import { createSemaphore, type Semaphore } from '../concurrency/index.ts';
import type { Logger } from '../logs/create-logger.ts';
import { AuthServiceError, type Verification } from './auth-service.ts';

export interface VerificationQueueOptions {
  /** Names the queue in logs. */
  keys: 'trusted' | 'unknown';
  /** Asks the auth service. */
  ask: (key: string) => Promise<Verification>;
  logger: Logger;
  concurrency: number;
  maxWaiting: number;
  waitMs: number;
}

/** Consecutive failures after which the service counts as down. */
const DOWN_AFTER_FAULTS = 3;

/**
 * A bounded queue of keys that the auth service verifies. While the service is down, one request at a time probes it and
 * all others fail at once.
 */
export class VerificationQueue {
  readonly #options: VerificationQueueOptions;
  readonly #semaphore: Semaphore;
  /** Consecutive verifications without a verdict, and those of them that show an outage. */
  #failures = 0;
  #faults = 0;

  constructor(options: VerificationQueueOptions) {
    this.#options = options;
    const { concurrency, maxWaiting, waitMs } = options;
    this.#semaphore = createSemaphore({ permits: concurrency, maxWaiting, waitMs, createError: unverified });
  }

  /**
   * Verifies a key now, or with `mayWait` in its turn.
   *
   * @throws AppError `unavailable` at once when the service is down, or the key would have to wait and may not
   * @returns rejects with AppError `unavailable` when the key could not be verified
   */
  run(key: string, mayWait: boolean): Promise<Verification> {
    const isProbed = this.#faults >= DOWN_AFTER_FAULTS && this.#semaphore.running > 0;
    if (isProbed || !(mayWait || this.#semaphore.running < this.#options.concurrency)) throw unverified();
    return this.#verify(key);
  }

  async #verify(key: string): Promise<Verification> {
    try {
      const verdict = await this.#semaphore.run(this.#options.ask, key);
      if (this.#failures > 0) this.#recover();
      return verdict;
    } catch (error) {
      if (error instanceof AuthServiceError) this.#noteFailure(error);
      throw error instanceof AuthServiceError ? unverified(error) : error;
    }
  }

  /** An outage is logged once when it starts and once when it ends. */
  #noteFailure(error: AuthServiceError): void {
    this.#failures += 1;
    this.#faults = error.isKeySpecific ? 0 : this.#faults + 1;
    const { keys, logger } = this.#options;
    const level = this.#failures === 1 ? 'warn' : 'debug';
    logger.log(level, 'session verification failed', { keys, faults: this.#failures, error });
  }

  #recover(): void {
    const { keys, logger } = this.#options;
    logger.info('session verification recovered', { keys, faults: this.#failures });
    this.#failures = 0;
    this.#faults = 0;
  }
}

export function unverified(cause?: unknown): AppError {
  return new AppError('unavailable', 'Sessions can not be checked at the moment, try again soon', { cause });
}

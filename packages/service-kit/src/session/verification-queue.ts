import { AppError } from '@lobbystats/contracts/errors';
import { createSemaphore, type Semaphore } from '../concurrency/index.ts';
import type { Logger } from '../logs/create-logger.ts';
import { AuthServiceError, type Verification } from './auth-service.ts';

export interface VerificationQueueOptions {
  /** Names the queue in logs. */
  keys: 'trusted' | 'unknown';
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
    const { concurrency, waitMs } = options;
    this.#semaphore = createSemaphore({ permits: concurrency, waitMs, createError: unverified });
  }

  /**
   * Verifies a key now, or with `mayWait` in its turn. Undefined: the queue does not accept it.
   *
   * @throws AppError `unavailable` when the key could not be verified
   */
  run(verify: () => Promise<Verification>, mayWait: boolean): Promise<Verification> | undefined {
    const { concurrency, maxWaiting } = this.#options;
    const { running, waiting } = this.#semaphore;
    if (this.#faults >= DOWN_AFTER_FAULTS && running > 0) return undefined;
    if (running >= concurrency && !(mayWait && waiting < maxWaiting)) return undefined;
    return this.#semaphore.run(async () => {
      const verdict = await verify().catch((cause: unknown) => this.#fail(cause));
      if (this.#failures > 0) this.#recover();
      return verdict;
    });
  }

  /** An outage is logged once when it starts and once when it ends. */
  #fail(error: unknown): never {
    this.#failures += 1;
    this.#faults = error instanceof AuthServiceError && error.isKeySpecific ? 0 : this.#faults + 1;
    const { keys, logger } = this.#options;
    const level = this.#failures === 1 ? 'warn' : 'debug';
    logger.log(level, 'session verification failed', { keys, faults: this.#failures, error });
    throw unverified(error);
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

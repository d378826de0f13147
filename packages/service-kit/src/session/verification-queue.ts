import { setTimeout as elapse } from 'node:timers/promises';
import { createSemaphore, SingleFlight, type Semaphore } from '../concurrency/index.ts';
import { AppError } from '@lobbystats/contracts/errors';
import { suppressRequestLog } from '../http/send-response.ts';
import { AuthServiceError, type Verification } from './auth-service.ts';
import { ClientLimitError, type ClientLimits } from './client-limits.ts';

export interface VerificationQueueOptions {
  verify: (key: string, mark: string) => Promise<Verification>;
  concurrency: number;
  maxWaiting: number;
  waitMs: number;
  onResult: (fault: unknown) => void;
  /** Default: none. */
  clients?: ClientLimits;
}

/** Consecutive failures after which the service counts as down. */
const DOWN_AFTER_FAULTS = 3;

/**
 * A bounded queue of keys that the auth service verifies. Requests with the same key share one verification. While the
 * service is down, one request at a time probes it and all others fail at once.
 */
export class VerificationQueue {
  readonly #options: VerificationQueueOptions;
  readonly #semaphore: Semaphore;
  readonly #flights = new SingleFlight<string>();
  #faults = 0;

  constructor(options: VerificationQueueOptions) {
    this.#options = options;
    this.#semaphore = createSemaphore({
      permits: options.concurrency,
      waitMs: options.waitMs,
      sleep: (ms, signal) => elapse(ms, undefined, { signal }).catch(() => undefined),
      createError: unavailable,
    });
  }

  /**
   * `mark`: the key's hash. Without `mayWait` it fails at once when no permit is free. `client`: undefined if unknown.
   *
   * @throws AppError `unavailable` when the key could not be verified
   */
  verify(key: string, mark: string, mayWait: boolean, client?: string): Promise<Verification> {
    const clients = client === undefined ? undefined : this.#options.clients;
    if (!this.#flights.isRunning(mark)) {
      if (clients?.accepts(client ?? '') === false) return Promise.reject(limited());
      if (!this.#accepts(mayWait)) return Promise.reject(unavailable());
    }
    const verify = () => this.#semaphore.run(() => this.#run(key, mark));
    return this.#flights.run(mark, () => clients?.run(client ?? '', verify) ?? verify());
  }

  #accepts(mayWait: boolean): boolean {
    const { concurrency, maxWaiting } = this.#options;
    const { running, waiting } = this.#semaphore;
    if (this.#faults >= DOWN_AFTER_FAULTS && running > 0) return false;
    return running < concurrency || (mayWait && waiting < maxWaiting);
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

/** Counted, but not logged for each request. */
function limited(): AppError {
  return suppressRequestLog(unavailable(new ClientLimitError()));
}

function unavailable(cause?: unknown): AppError {
  return new AppError('unavailable', 'Sessions can not be checked at the moment, try again soon', { cause });
}

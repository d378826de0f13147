import type { Backoff } from '@lobbystats/service-kit/concurrency';

export interface Time {
  /** The wall clock, in epoch milliseconds. It may jump. */
  now(): number;
  /** Resolves after the time, or once the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Dependencies of work that is tried again after a pause, until the service stops. */
export interface RetryParts {
  time: Time;
  backoff: Backoff;
  stopping: AbortSignal;
}

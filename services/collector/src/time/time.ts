export interface Time {
  /** The wall clock, in epoch milliseconds. It may jump. */
  now(): number;
  /** Resolves after the time, or once the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

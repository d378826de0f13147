/** Time as it passes, to be replaced in tests. */
export interface Time {
  /** The wall clock, in epoch milliseconds. It may jump. */
  now(): number;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The wait before attempt n + 1 (n = 1, 2, …), in milliseconds. */
export type Backoff = (attempt: number) => number;

/** `firstMs`, doubling up to `mostMs`. */
export function doubling(firstMs: number, mostMs: number): Backoff {
  return (attempt) => Math.min(firstMs * 2 ** (attempt - 1), mostMs);
}

export type Backoff = (attempt: number) => number;

/** Returns the delay after each failed attempt, which is counted from 1: `firstMs`, doubled each time, at most `maxMs`. */
export function exponentialBackoff(firstMs: number, maxMs: number): Backoff {
  return (attempt) => Math.min(firstMs * 2 ** (attempt - 1), maxMs);
}

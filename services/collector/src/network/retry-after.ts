/** Longer waits are capped at one hour. */
const MAX_WAIT_MS = 3_600_000;

/**
 * Parses a `Retry-After` header, seconds or a date, into milliseconds. Undefined when it is invalid.
 *
 * @param nowMs epoch milliseconds
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}

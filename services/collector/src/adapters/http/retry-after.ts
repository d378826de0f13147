/** A network that asks for more is taken at its word for so long, and asked again then. */
const LONGEST_MS = 3_600_000;

/**
 * How long a `Retry-After` header asks to wait, in milliseconds: seconds, or a date. Undefined for one that says nothing.
 *
 * @param nowMs epoch milliseconds
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_MS);
}

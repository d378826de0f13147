/** Failures of one kind that are logged in one period; others are only counted. */
const LOGGED = 3;
const SPAN_MS = 300_000;

/**
 * Samples failures for the log: a few of each kind in five minutes. `now` is in epoch milliseconds.
 *
 * @param now epoch milliseconds
 */
export function createFailureSamples(now: () => number): (kind: string) => boolean {
  const logged = new Map<string, number>();
  let span = 0;
  return (kind) => {
    const present = Math.floor(now() / SPAN_MS);
    if (present !== span) logged.clear();
    span = present;
    const count = (logged.get(kind) ?? 0) + 1;
    logged.set(kind, count);
    return count <= LOGGED;
  };
}

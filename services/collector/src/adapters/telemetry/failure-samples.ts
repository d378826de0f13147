/** Failures of one kind that are logged in one span of time; the others are counted alone. */
const LOGGED = 3;
const SPAN_MS = 300_000;

/**
 * Decides which failures are logged: a few of each kind in five minutes, so that a network that is down for a night doesn't
 * fill a disk.
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

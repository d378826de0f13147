/** Logged failures of one kind per period; others are only counted. */
const MAX_LOGGED = 3;
const PERIOD_MS = 300_000;

/** Samples failures for the log: three of each kind in five minutes. `now` returns epoch milliseconds. */
export function createFailureSampler(now: () => number): (kind: string) => boolean {
  const logged = new Map<string, number>();
  let span = 0;
  return (kind) => {
    const present = Math.floor(now() / PERIOD_MS);
    if (present !== span) logged.clear();
    span = present;
    const count = (logged.get(kind) ?? 0) + 1;
    logged.set(kind, count);
    return count <= MAX_LOGGED;
  };
}

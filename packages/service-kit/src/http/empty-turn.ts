/** What a turn of the event loop takes at most in which next to nothing is done, in milliseconds. */
const EMPTY_MS = 0.5;

/**
 * Waits for a turn of the event loop that has found nobody, and next to nothing to do: so short a time ago nobody was there. What is
 * done as soon as this resolves is done in that turn.
 *
 * @param withinMs how long to wait for one
 * @param comers how many have come until now
 */
export function emptyTurn(withinMs: number, comers: () => number): Promise<void> {
  const end = performance.now() + withinMs;
  return new Promise((resolve) => {
    let before = { ms: -Infinity, comers: 0 };
    const look = (): void => {
      const now = { ms: performance.now(), comers: comers() };
      const isEmpty = now.ms - before.ms < EMPTY_MS && now.comers === before.comers;
      before = now;
      if (isEmpty || now.ms >= end) resolve();
      else setImmediate(look);
    };
    setImmediate(look);
  });
}

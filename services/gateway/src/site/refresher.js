/** When to load again: while the page is seen, once something new is due, with backoff after a failure. */

/** @typedef {Pick<import('./api.js').Answer, 'failed' | 'maxAge' | 'retryAfter'>} Outcome */

/**
 * Loads at once and goes on loading. A hidden page waits until it is seen.
 * @param {() => Promise<Outcome>} load never rejects
 * @returns {() => void} loads now, unless that is under way
 */
export function keepFresh(load) {
  let failures = 0;
  let dueAt = 0;
  let loading = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  async function run() {
    if (loading) return;
    loading = true;
    const outcome = await load();
    loading = false;
    failures = outcome.failed.length > 0 ? failures + 1 : 0;
    dueAt = Date.now() + 1000 * delaySeconds(outcome, failures, Math.random());
    wait();
  }

  function wait() {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(run, Math.max(0, dueAt - Date.now()));
  }

  document.addEventListener('visibilitychange', wait);
  addEventListener('online', () => {
    dueAt = 0;
    wait();
  });
  void run();
  return run;
}

/**
 * @param {Outcome} outcome
 * @param {number} failures in a row
 * @param {number} chance from 0 to 1: spreads the requests of many pages
 */
function delaySeconds({ maxAge, retryAfter }, failures, chance) {
  if (failures > 0) return Math.min(Math.max(5 * 2 ** (failures - 1), retryAfter), 300) * (0.75 + chance / 2);
  return (maxAge < Infinity ? Math.min(Math.max(maxAge, 15), 300) : 60) + 1 + 3 * chance;
}

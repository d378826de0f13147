/** Schedules loads while the page is visible: when new data is due or announced, with backoff after a failure. */

/** @typedef {Pick<import('./api.js').Answer, 'failed' | 'maxAge' | 'retryAfter'>} Outcome */

/**
 * Loads at once and then repeatedly. A hidden page waits until it is visible.
 * @param {() => Promise<Outcome>} load never rejects
 * @returns `now` loads at once, and once more if a load is running; `soon` loads when announced data is available
 */
export function startRefresher(load) {
  let failures = 0;
  let dueAt = 0;
  let loading = false;
  let again = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  async function run() {
    again = loading;
    if (loading) return;
    loading = true;
    const outcome = await load();
    loading = false;
    failures = outcome.failed.length > 0 ? failures + 1 : 0;
    dueAt = again ? 0 : Date.now() + 1000 * delaySeconds(outcome, failures, Math.random());
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
  return { now: run, soon: () => setTimeout(run, 1000 * (SETTLED_SECONDS + SPREAD_SECONDS * Math.random())) };
}

/** How long a cache may serve older data, and the interval over which requests of many pages are spread, in seconds. */
const SETTLED_SECONDS = 3;
const SPREAD_SECONDS = 4;

/**
 * @param {Outcome} outcome
 * @param {number} failures in a row
 * @param {number} chance from 0 to 1: spreads the requests of many pages
 */
function delaySeconds({ maxAge, retryAfter }, failures, chance) {
  if (failures > 0) return Math.min(Math.max(5 * 2 ** (failures - 1), retryAfter), 300) * (0.75 + chance / 2);
  return (maxAge < Infinity ? Math.min(Math.max(maxAge, 15), 300) : 60) + 1 + 3 * chance;
}

import { keyOfTarget, type Target } from './browser-follows.ts';

/**
 * Name of a shared lock, which each visible tab that shows the target holds: the browser releases that of a closed tab.
 * Only secure addresses have locks: elsewhere a tab knows its own page.
 */
const lockOf = (target: Target) => `lobbystats-shows ${keyOfTarget(target)}`;

/** Tells the other tabs what this one shows, while it is visible. @param onShown runs when it becomes visible */
export function holdTarget(target: Target, onShown: () => void): void {
  let release: (() => void) | undefined;
  const hold = () => {
    release?.();
    release = undefined;
    if (document.hidden) return;
    onShown();
    const held = Promise.withResolvers<undefined>();
    release = () => held.resolve(undefined);
    void locks()?.request(lockOf(target), { mode: 'shared' }, () => held.promise);
  };
  document.addEventListener('visibilitychange', hold);
  addEventListener('pagehide', () => release?.());
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) hold();
  });
  hold();
}

/** A test whether a visible tab shows a target. */
export async function readShownTargets(own: Target | undefined): Promise<(target: Target) => boolean> {
  const { held = [] } = (await locks()?.query()) ?? {};
  const names = new Set(held.map(({ name }) => name));
  if (own !== undefined && !document.hidden) names.add(lockOf(own));
  return (target) => names.has(lockOf(target));
}

/** Runs in one tab of this browser at a time, until the page is left. @param run returns what ends it @returns the same */
export function runInOneTab(name: string, run: () => () => void): () => void {
  let stop = new AbortController();
  let isEnded = false;
  const start = () => {
    stop = new AbortController();
    const { signal } = stop;
    const lead = async () => {
      if (signal.aborted) return;
      const end = run();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      end();
    };
    // Aborted while it waits: the page is left.
    void (locks()?.request(name, { signal }, lead) ?? lead()).catch(() => undefined);
  };
  addEventListener('pagehide', () => stop.abort());
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && !isEnded) start();
  });
  start();
  return () => {
    isEnded = true;
    stop.abort();
  };
}

/** @param names the beginning of the locks' names */
export async function isHeld(names: string): Promise<boolean> {
  const { held = [] } = (await locks()?.query()) ?? {};
  return held.some(({ name }) => name?.startsWith(names));
}

function locks(): LockManager | undefined {
  return (navigator as { locks?: LockManager }).locks;
}

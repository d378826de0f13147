import { prepareFollow } from './follow-presence.ts';

/** Key of the session in localStorage. */
const SESSION_KEY = 'service_auth';

/** Islands that work without a session, too. */
const ALWAYS = '[data-island="login"], [data-island="me"], [data-island="following"]';

/** Shows the reader's session. Without one, nothing more is loaded, unless another tab signs in. */
export async function followSession(main: HTMLElement, showTimes: (root: ParentNode) => void): Promise<void> {
  const show = async () => {
    const { showSession } = await import('./session.ts');
    await showSession({ main, storageKey: SESSION_KEY, showTimes });
  };
  const button = main.querySelector<HTMLElement>('[data-island="follow"]');
  if (hasSession() || main.querySelector(ALWAYS) !== null) await show().catch(() => undefined);
  else if (button !== null) await prepareFollow(button).catch(() => undefined);
}

/** Links return to this page after signing in, and another tab's session is shown. */
export function prepareSignIn(onSession: () => Promise<void>): void {
  const link = document.querySelector<HTMLAnchorElement>('a[data-account]');
  if (link !== null && link.pathname !== location.pathname)
    link.search = `?next=${encodeURIComponent(location.pathname + location.search)}`;
  addEventListener('storage', () => {
    if (hasSession()) void onSession();
  });
}

/** Storage may be denied. */
function hasSession(): boolean {
  try {
    return localStorage.getItem(SESSION_KEY) !== null;
  } catch {
    return false;
  }
}

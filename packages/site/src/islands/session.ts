import type * as serviceAuth from '@lobbystats/service-auth';
import { isFollowing } from './browser-follows.ts';
import type { Island, Session } from './island.ts';
import { onOtherWrite } from './writes.ts';

const ISLANDS: ReadonlyMap<string | undefined, () => Promise<Island>> = new Map([
  ['follow', async () => (await import('./follow.ts')).showFollow],
  ['following', async () => (await import('./following.ts')).showFollowing],
  ['friends', async () => (await import('./friends.ts')).showFriends],
  ['login', async () => (await import('./login.ts')).showLogin],
  ['me', async () => (await import('./me.ts')).showMe],
  ['own-entry', async () => (await import('./own-entry.ts')).showOwnEntry],
  ['progress', async () => (await import('./progress.ts')).showProgress],
  ['rate', async () => (await import('./rate.ts')).showRating],
  ['report', async () => (await import('./report.ts')).showReport],
]);

/** Served by this site, with the address of its auth service: not a part of the bundle. */
const SDK = new URL('/service-auth.mjs', location.href).href;

interface SessionOptions extends Omit<Session, 'auth'> {
  readonly storageKey: string;
}

let opened: Promise<Session> | undefined;

/** Shows the session in the header and the islands, and follows it. */
export async function showSession(options: SessionOptions): Promise<void> {
  opened ??= open(options).catch((error: unknown) => {
    // The next update of the page tries again.
    opened = undefined;
    throw error;
  });
  await show(await opened);
}

async function open({ storageKey, ...rest }: SessionOptions): Promise<Session> {
  const { ServiceAuth } = (await import(SDK)) as typeof serviceAuth;
  const session = { auth: new ServiceAuth({ storageKey }), ...rest };
  for (const event of ['login', 'logout'] as const) session.auth.on(event, () => void show(session));
  onOtherWrite(() => session.main.dispatchEvent(new Event('outdated')));
  session.auth.startAutoVerify();
  // The service worker alone sends messages: the subscription of this browser has changed.
  if ('serviceWorker' in navigator) navigator.serviceWorker.addEventListener('message', () => void renew(session));
  void renew(session);
  return session;
}

let isNotifying = false;

async function notify(session: Session): Promise<void> {
  if (!session.auth.isLoggedIn() && !isNotifying) return;
  isNotifying = true;
  const { notifyOfAccount } = await import('./account-news.ts');
  notifyOfAccount(session);
}

async function renew(session: Session): Promise<void> {
  if (!session.auth.isLoggedIn()) return;
  const { renewSubscription } = await import('./web-push.ts');
  await renewSubscription(session).catch(reportError);
}

async function show(session: Session): Promise<void> {
  showAccount(session.auth.getUsername());
  const elements = [...session.main.querySelectorAll<HTMLElement>('[data-island]')];
  const islands = elements.map(async (element) => {
    const island = await ISLANDS.get(element.dataset['island'])?.();
    await island?.(element, session);
  });
  // A script that can't be loaded costs only its own part.
  await Promise.all([...islands, notify(session)].map((part) => part.catch(reportError)));
  if (isFollowing()) (await import('./take-over.ts')).offerTakeOver(session);
  const { markPeople, peopleOf } = await import('./people.ts');
  markPeople(session.main.ownerDocument, await peopleOf(session));
}

let signIn: { readonly href: string; readonly text: string } | undefined;

/** The link of the header: to the reader's own page, or as it was. */
function showAccount(username: string | null): void {
  const link = document.querySelector<HTMLAnchorElement>('a[data-account]');
  // Room for what only a signed-in reader is shown.
  document.documentElement.toggleAttribute('data-session', username !== null);
  if (link === null) return;
  signIn ??= { href: link.href, text: link.textContent };
  const name = document.createElement('bdi');
  name.textContent = username;
  link.href = username === null ? signIn.href : '/me';
  link.title = username === null ? '' : 'Your page';
  link.replaceChildren(username === null ? signIn.text : name);
}

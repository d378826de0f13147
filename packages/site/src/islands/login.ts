import { showAvatar } from './elements.ts';
import { clearFieldErrors, find, noticeOf, onClick, onSubmit } from './form.ts';
import type { Session } from './island.ts';
import { signOut } from './sign-out.ts';

let isBound = false;

/** The sign-in form, or the signed-in user. */
export async function showLogin(element: HTMLElement, session: Session): Promise<void> {
  const { auth } = session;
  const user = auth.getUser();
  const form = find(element, '#sign-in');
  form.hidden = user !== null;
  find<HTMLButtonElement>(form, 'button.main').disabled = false;
  find(element, '#signed-in').hidden = user === null;
  find(element, 'h1').textContent = user === null ? 'Sign in' : 'You are signed in';
  find(element, '.username').textContent = user?.username ?? '';
  if (isBound) return;
  isBound = true;
  bind(element, session);
  await auth.verifySession();
}

function bind(element: HTMLElement, session: Session): void {
  const { auth } = session;
  const form = find<HTMLFormElement>(element, '#sign-in');
  const email = find<HTMLInputElement>(form, '#email');
  const password = find<HTMLInputElement>(form, '#password');
  const notice = noticeOf(element);
  auth.on('login', () => {
    password.value = '';
    notice.show('You are signed in.');
  });
  auth.on('logout', () => notice.show('You are signed out.'));
  auth.on('error', ({ message }) => notice.warn(auth.isLoggedIn() ? `${message}. You stay signed in here.` : message));
  onSubmit(form, async () => {
    notice.show('');
    clearFieldErrors(form);
    // The listener has shown the error.
    await auth.login(email.value, password.value).catch(() => undefined);
    if (auth.isLoggedIn()) location.assign(returnPath(location.search));
    else password.select();
  });
  const demo = element.querySelector<HTMLElement>('#demo-buttons');
  if (demo !== null) {
    onClick(find(demo, 'button'), async () =>
      offerDemoAccounts(demo, (account) => {
        [email.value, password.value] = [account.email, account.password];
        password.focus();
      }).catch(() => notice.warn('The demo accounts can not be read at the moment.')),
    );
  }
  onClick(find(element, '.sign-out'), () => signOut(session, notice, email));
}

interface DemoAccount {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

const DEMO_ACCOUNTS_SHOWN = 4;

/** Buttons that fill in an account of a simulated network. */
async function offerDemoAccounts(place: HTMLElement, fillIn: (account: DemoAccount) => void): Promise<void> {
  const response = await fetch(place.dataset['accounts'] ?? '', { credentials: 'omit' });
  const accounts = (await response.json()) as readonly DemoAccount[];
  const buttons = accounts.slice(0, DEMO_ACCOUNTS_SHOWN).map((account) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = account.username;
    showAvatar(button, account.username);
    button.addEventListener('click', () => fillIn(account));
    return button;
  });
  place.replaceChildren(...buttons);
  buttons[0]?.focus();
}

const OWN_PAGE = '/me';

/** The URL of the path in `next` on this site; else of the user's own page. @param search of the URL */
export function returnPath(search: string, origin = location.origin): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  const url = next.startsWith('/') ? URL.parse(next, origin) : null;
  // With the origin: a path such as `/.//host` is resolved to `//host`, which alone would name another host.
  return url?.origin === origin ? url.href : OWN_PAGE;
}

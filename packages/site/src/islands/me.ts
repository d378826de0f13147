import { links } from '../links.ts';
import type { Own, OwnTab } from './own-tab.ts';
import { apiOf, attempt, isForbidden, isNotFound } from './api.ts';
import { fill, find, noticeOf, onClick } from './form.ts';
import { signOut } from './sign-out.ts';
import type { Session } from './island.ts';
import { onOtherWrite } from './writes.ts';

type BindTab = (element: HTMLElement, session: Session, onSaved: () => void) => OwnTab;

const TABS: ReadonlyMap<string | undefined, () => Promise<BindTab>> = new Map([
  ['overview', async () => (await import('./me-overview.ts')).overviewTab],
  ['profile', async () => (await import('./me-profile-tab.ts')).profileTab],
  ['data', async () => (await import('./me-account.ts')).dataTab],
]);

/** Tabs of sections that links name: all sections were on one page once. */
const TAB_OF: ReadonlyMap<string, string> = new Map([
  ['#profile', 'profile'],
  ['#given', 'profile'],
  ['#data', 'data'],
]);

let shownFor: string | null | undefined;
let tab: OwnTab | undefined;

/** The reader's own page, or a link to sign in. */
export async function showMe(element: HTMLElement, session: Session): Promise<void> {
  const { auth } = session;
  const user = auth.getUser();
  const before = shownFor;
  if (before === (user?.username ?? null)) return;
  const tabOfHash = TAB_OF.get(location.hash) ?? element.dataset['tab'];
  if (before === undefined && tabOfHash !== element.dataset['tab']) {
    location.replace(links.me({ tab: tabOfHash }) + location.hash);
    return;
  }
  shownFor = user?.username ?? null;
  if (before === undefined) bind(element, session);
  if (typeof before === 'string') tab?.keepEdited?.(before);
  find(element, '.signed-out').hidden = user !== null;
  for (const part of element.querySelectorAll<HTMLElement>('.signed-in, .in-use, .erased')) part.hidden = true;
  if (user === null) return;
  fill(element, { username: user.username });
  await attempt({ session, notice: noticeOf(find(element, 'section')) }, () => showOwn(element, session));
  if (before === undefined) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** Undefined before there is a profile, `erased` after an erasure. */
async function ownProfile(session: Session): Promise<Own | 'erased' | undefined> {
  try {
    return await apiOf(session).getMe();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (isForbidden(error)) return 'erased';
    throw error;
  }
}

async function showOwn(element: HTMLElement, session: Session): Promise<void> {
  const asked = session.auth.getUsername();
  const [own, bindTab] = await Promise.all([ownProfile(session), TABS.get(element.dataset['tab'])?.()]);
  if (asked === null || session.auth.getUsername() !== asked) return;
  const isErased = own === 'erased';
  const known = own === 'erased' ? undefined : own;
  if (!isErased) {
    tab ??= bindTab?.(element, session, () => showPublicPage(element, session.auth.getUsername() ?? undefined));
    // It is hidden meanwhile: what is above would move what is below.
    await tab?.show(known);
  }
  if (session.auth.getUsername() !== asked) return;
  const show = (selector: string, isShown: boolean) => {
    for (const part of element.querySelectorAll<HTMLElement>(selector)) part.hidden = !isShown;
  };
  show('.signed-in', true);
  show('.erased', isErased);
  show('.in-use, .own-tabs', !isErased);
  showPublicPage(element, known?.username);
  if (!isErased) await tab?.shown?.(asked);
}

/** An account without a profile has no page. */
function showPublicPage(element: HTMLElement, username: string | undefined): void {
  const link = find<HTMLAnchorElement>(element, '.public');
  link.hidden = username === undefined;
  find(element, '.no-public').hidden = username !== undefined;
  if (username !== undefined) link.href = links.player(username);
}

function bind(element: HTMLElement, session: Session): void {
  const { auth } = session;
  const notice = noticeOf(find(element, 'section'));
  onOtherWrite(() => {
    if (auth.isLoggedIn() && tab?.isEdited?.() !== true)
      void attempt({ session, notice }, () => showOwn(element, session));
  });
  auth.on('error', ({ message }) => notice.warn(auth.isLoggedIn() ? `${message}. You stay signed in here.` : message));
  auth.on('logout', () => notice.show('You are signed out.'));
  onClick(find(element, '.sign-out'), () => signOut(session, notice, find(element, 'h1')));
  void auth.verifySession();
}

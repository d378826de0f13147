import type { BodyOf } from '@lobbystats/client';
import { apiOf, attempt, isNotFound } from './api.ts';
import { fill, find, noticeOf, onClick } from './form.ts';
import { bindAccountForms } from './me-account.ts';
import { showAchievements } from './me-achievements.ts';
import { bindProfileForm, type ShowProfile } from './me-profile.ts';
import { showGivenRatings } from './me-ratings.ts';
import type { Session } from './island.ts';

type Own = BodyOf<'getMe'>;

let shownFor: string | null | undefined;
let showProfile: ShowProfile | undefined;

/** The reader's own profile, or a link to sign in. */
export async function showMe(element: HTMLElement, session: Session): Promise<void> {
  const { auth } = session;
  const user = auth.getUser();
  if (shownFor === (user?.username ?? null)) return;
  const isFirst = shownFor === undefined;
  shownFor = user?.username ?? null;
  if (isFirst) bind(element, session);
  find(element, '.signed-out').hidden = user !== null;
  for (const part of element.querySelectorAll<HTMLElement>('.signed-in')) part.hidden = true;
  if (user === null) return;
  fill(element, { username: user.username, email: user.email, gamertag: '', verified: '' });
  await attempt({ session, notice: noticeOf(find(element, 'section')) }, async () => {
    const own = await ownProfile(session);
    if (auth.getUsername() === user.username) await showOwn(element, session, own);
  });
}

/** Undefined before there is a profile, and after an erasure. */
async function ownProfile(session: Session): Promise<Own | undefined> {
  try {
    return await apiOf(session).getMe();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function showOwn(element: HTMLElement, session: Session, own: Own | undefined): Promise<void> {
  const username = own?.username ?? session.auth.getUsername() ?? '';
  find<HTMLAnchorElement>(element, '.public').href = `/u/${encodeURIComponent(username)}`;
  fill(element, {
    gamertag: own?.gamertag ?? '',
    verified: own?.profile.console_verified === true ? 'verified' : '',
  });
  showProfile?.(own?.profile);
  for (const part of element.querySelectorAll<HTMLElement>('.signed-in')) part.hidden = false;
  await Promise.all([showGivenRatings(element, session), showAchievements(element, session, username)]);
}

function bind(element: HTMLElement, session: Session): void {
  const { auth } = session;
  const notice = noticeOf(find(element, 'section'));
  const heading = find(element, 'h1');
  showProfile = bindProfileForm(element, session);
  bindAccountForms(element, session);
  auth.on('error', ({ message }) => notice.warn(auth.isLoggedIn() ? `${message}. You stay signed in here.` : message));
  auth.on('logout', () => notice.say('You are signed out.'));
  onClick(find(element, '.sign-out'), async () => {
    const isRevoked = auth.logout();
    heading.focus();
    if (!(await isRevoked)) notice.warn('You are signed out here, but the auth service could not be told.');
  });
  void auth.verifySession();
}

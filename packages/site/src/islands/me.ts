import { links } from '../links.ts';
import type { BodyOf } from '@lobbystats/client';
import { apiOf, attempt, isForbidden, isNotFound } from './api.ts';
import { DRAFT_NOTICE, keepDraft, takeDraft } from './drafts.ts';
import { fill, find, noticeOf, onClick } from './form.ts';
import { showFriends } from './friends.ts';
import { bindAccountForms } from './me-account.ts';
import { showFollowedNow } from './me-followed.ts';
import { bindProfileForm, type ProfileForm, type ProfileUpdate } from './me-profile.ts';
import { showPublicParts } from './me-public.ts';
import { showGivenRatings } from './me-ratings.ts';
import { signOut } from './sign-out.ts';
import type { Session } from './island.ts';
import { onOtherWrite } from './writes.ts';

type Own = BodyOf<'getMe'>;

const DRAFT = 'profile';

let shownFor: string | null | undefined;
let profileForm: ProfileForm | undefined;

/** The reader's own profile, or a link to sign in. */
export async function showMe(element: HTMLElement, session: Session): Promise<void> {
  const { auth } = session;
  const user = auth.getUser();
  const before = shownFor;
  if (before === (user?.username ?? null)) return;
  shownFor = user?.username ?? null;
  if (before === undefined) bind(element, session);
  const edited = typeof before === 'string' ? profileForm?.edited() : undefined;
  if (typeof before === 'string' && edited !== undefined) keepDraft(DRAFT, before, edited);
  find(element, '.signed-out').hidden = user !== null;
  for (const part of element.querySelectorAll<HTMLElement>('.signed-in, .in-use, .erased')) part.hidden = true;
  if (user === null) return;
  fill(element, { username: user.username, email: user.email, gamertag: '', verified: '' });
  await attempt({ session, notice: noticeOf(find(element, 'section')) }, () => showOwn(element, session));
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
  const own = await ownProfile(session);
  if (asked === null || session.auth.getUsername() !== asked) return;
  const isErased = own === 'erased';
  const known = own === 'erased' ? undefined : own;
  // They stand above the forms, which would move.
  await Promise.all([
    showFriends(find(element, '[data-friends]'), session),
    known === undefined ? undefined : showPublicParts(element, session, known.username),
    isErased
      ? undefined
      : attempt({ session, notice: noticeOf(find(element, 'section')) }, () => showFollowedNow(element, session)),
  ]);
  if (session.auth.getUsername() !== asked) return;
  const show = (selector: string, isShown: boolean) => {
    for (const part of element.querySelectorAll<HTMLElement>(selector)) part.hidden = !isShown;
  };
  show('.signed-in', true);
  show('.erased', isErased);
  show('.in-use', !isErased);
  showPublicPage(element, known?.username);
  fill(element, {
    gamertag: known?.gamertag ?? '',
    verified: known?.profile.console_verified === true ? 'verified' : '',
  });
  profileForm?.show(known?.profile);
  if (isErased) return;
  const draft = takeDraft<ProfileUpdate>(DRAFT, asked);
  if (draft !== undefined) {
    profileForm?.restore(draft);
    noticeOf(find(element, '#profile-form')).show(DRAFT_NOTICE);
  }
  await showGivenRatings(element, session);
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
  const heading = find(element, 'h1');
  const form = bindProfileForm(element, session, () => showPublicPage(element, auth.getUsername() ?? undefined));
  profileForm = form;
  bindAccountForms(element, session);
  onOtherWrite(() => {
    if (auth.isLoggedIn() && form.edited() === undefined)
      void attempt({ session, notice }, () => showOwn(element, session));
  });
  auth.on('error', ({ message }) => notice.warn(auth.isLoggedIn() ? `${message}. You stay signed in here.` : message));
  auth.on('logout', () => notice.show('You are signed out.'));
  onClick(find(element, '.sign-out'), () => signOut(session, notice, heading));
  void auth.verifySession();
}

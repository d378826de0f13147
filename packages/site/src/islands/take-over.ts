import { apiOf, attempt } from './api.ts';
import { browserFollows, isSame, unfollowInBrowser } from './browser-follows.ts';
import { noticeOf, onClick } from './form.ts';
import type { Session } from './island.ts';

/** In sessionStorage: the reader does not want it now. */
const DECLINED = 'lobbystats-take-over-declined';

let offer: HTMLElement | undefined;

/** Offers a signed-in reader to follow with their account what this browser follows. */
export function offerTakeOver(session: Session): void {
  const count = browserFollows().length;
  if (session.auth.getUsername() === null || count === 0 || isDeclined()) {
    offer?.remove();
    offer = undefined;
    return;
  }
  if (offer !== undefined) return;
  offer = document.createElement('aside');
  offer.className = 'frame note';
  offer.ariaLabel = 'Followed in this browser';
  const text = document.createElement('p');
  const showText = () => {
    const left = browserFollows().length;
    text.textContent = `This browser follows ${left === 1 ? 'one page' : `${left} pages`} without your account.`;
  };
  showText();
  const [accept, decline] = ['Follow with my account', 'Not now'].map((label) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    return button;
  }) as [HTMLButtonElement, HTMLButtonElement];
  const buttons = document.createElement('div');
  buttons.className = 'buttons';
  buttons.append(accept, decline);
  const notice = document.createElement('div');
  notice.className = 'notice';
  for (const [role, className] of [
    ['alert', 'trouble'],
    ['status', 'hint'],
  ] as const) {
    const line = document.createElement('p');
    line.role = role;
    line.className = className;
    notice.append(line);
  }
  offer.append(text, buttons, notice);
  session.main.before(offer);
  const shown = offer;
  onClick(accept, () =>
    attempt({ session, notice: noticeOf(shown) }, async () => {
      await takeOver(session).finally(showText);
      buttons.hidden = true;
      text.textContent = 'Your account follows them now.';
      session.main.focus();
      // The button, and the list, are those of the account.
      if (session.main.querySelector('[data-island^="follow"]') !== null) location.reload();
    }),
  );
  onClick(decline, async () => {
    sessionStorage.setItem(DECLINED, '');
    offerTakeOver(session);
    session.main.focus();
  });
}

/** Removes from the browser each that the account follows; rules that the account has stay. */
async function takeOver(session: Session): Promise<void> {
  const api = apiOf(session);
  const { following } = await api.listFollowing();
  for (const target of browserFollows()) {
    if (!following.some(isSame(target))) await api.follow({ body: { ...target } });
    unfollowInBrowser(target);
  }
}

function isDeclined(): boolean {
  return sessionStorage.getItem(DECLINED) !== null;
}

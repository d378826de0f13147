import { targetOf, type Target } from './browser-follows.ts';
import { find, noticeOf, onClick, type Notice } from './form.ts';

/** Where it is stored what a reader follows. */
export interface Follows {
  readonly texts: { readonly followed: string; readonly manage: string };
  has(target: Target): boolean | Promise<boolean>;
  follow(target: Target): unknown;
  unfollow(target: Target): unknown;
  /** Runs an action, and shows its failure. Never rejects. */
  attempt(notice: Notice, act: () => Promise<void>): Promise<void>;
}

const followsOf = new WeakMap<HTMLElement, Follows>();

/** The button by which a reader follows what the page shows. */
export async function showFollowButton(element: HTMLElement, follows: Follows): Promise<void> {
  const button = find<HTMLButtonElement>(element, 'button');
  if (!followsOf.has(element)) onClick(button, () => toggle(element, button));
  // The page's own script leaves clicks to this one.
  button.dataset['bound'] = '';
  followsOf.set(element, follows);
  find(element, '.manage').textContent = follows.texts.manage;
  await follows.attempt(noticeOf(element), async () => {
    const isFollowed = await follows.has(targetOf(element));
    if (followsOf.get(element) !== follows) return;
    show(element, button, isFollowed);
    find(element, 'a.button').hidden = true;
    button.hidden = false;
  });
}

export function isFollowedThrough(element: HTMLElement, follows: Follows): boolean {
  return followsOf.get(element) === follows;
}

async function toggle(element: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const notice = noticeOf(element);
  const follows = followsOf.get(element);
  await follows?.attempt(notice, async () => {
    const isFollowed = button.ariaPressed === 'true';
    await (isFollowed ? follows.unfollow(targetOf(element)) : follows.follow(targetOf(element)));
    show(element, button, !isFollowed);
    notice.show(isFollowed ? 'You no longer follow this.' : follows.texts.followed);
  });
}

function show(element: HTMLElement, button: HTMLButtonElement, isFollowed: boolean): void {
  button.ariaPressed = String(isFollowed);
  button.textContent = isFollowed ? 'Following' : 'Follow';
  find(element, '.manage').hidden = !isFollowed;
}

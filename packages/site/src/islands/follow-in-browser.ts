import { browserFollows, followInBrowser, isSame, onFollowsChanged, unfollowInBrowser } from './browser-follows.ts';
import { isFollowedThrough, showFollowButton, type Follows } from './follow-button.ts';

/** Follows without an account. */
const BROWSER: Follows = {
  texts: {
    followed: 'You follow this in this browser, which notifies you while a page of this site is open.',
    manage: 'What you follow',
  },
  has: (target) => browserFollows().some(isSame(target)),
  follow: followInBrowser,
  unfollow: unfollowInBrowser,
  attempt: async (notice, act) => {
    notice.show('');
    try {
      await act();
    } catch (error) {
      notice.warn(error instanceof Error ? error.message : String(error));
    }
  },
};

const followed = new WeakSet<HTMLElement>();

/** The button of a reader without a session. Other tabs, and the list of what is followed, change it too. */
export async function showFollowInBrowser(element: HTMLElement): Promise<void> {
  if (isFollowedThrough(element, BROWSER)) return;
  if (!followed.has(element)) {
    onFollowsChanged(() => {
      if (isFollowedThrough(element, BROWSER)) void showFollowButton(element, BROWSER);
    });
  }
  followed.add(element);
  await showFollowButton(element, BROWSER);
}

import { apiOf, attempt } from './api.ts';
import { isSame } from './browser-follows.ts';
import { showFollowButton, type Follows } from './follow-button.ts';
import { showFollowInBrowser } from './follow-in-browser.ts';
import type { Session } from './island.ts';

const shownFor = new WeakMap<HTMLElement, string | null>();

/** The button by which a reader follows what the page shows: with the account of the session, or in the browser. */
export async function showFollow(element: HTMLElement, session: Session): Promise<void> {
  const user = session.auth.getUsername();
  if (shownFor.get(element) === user) return;
  shownFor.set(element, user);
  await (user === null ? showFollowInBrowser(element) : showFollowButton(element, accountOf(session)));
}

function accountOf(session: Session): Follows {
  return {
    texts: { followed: 'You follow this.', manage: 'Rules and channels' },
    has: async (target) => (await apiOf(session).listFollowing()).following.some(isSame(target)),
    follow: ({ kind, id }) => apiOf(session).follow({ body: { kind, id } }),
    unfollow: (target) => apiOf(session).unfollow({ ...target }),
    attempt: (notice, act) => attempt({ session, notice }, act),
  };
}

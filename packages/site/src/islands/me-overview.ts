import { links } from '../links.ts';
import { attempt } from './api.ts';
import { find, noticeOf } from './form.ts';
import { showFriends } from './friends.ts';
import type { Session } from './island.ts';
import type { OwnTab } from './own-tab.ts';
import { showFollowedNow } from './me-followed.ts';

/** News, friends, and parts of the reader's public page. */
export function overviewTab(element: HTMLElement, session: Session): OwnTab {
  const notice = noticeOf(find(element, 'section'));
  return {
    show: async (own) => {
      await Promise.all([
        showFriends(find(element, '[data-friends]'), session),
        own === undefined ? undefined : showPublicParts(element, session, own.username),
        attempt({ session, notice }, () => showFollowedNow(element, session)),
      ]);
    },
  };
}

/** Sections of the reader's public page, in the order of interest. */
const SECTIONS = ['#play-time', '#story', '#changes', '#held-records', '#rivals'];

async function showPublicParts(element: HTMLElement, session: Session, username: string): Promise<void> {
  const slot = find(element, '#public-slot');
  const response = await fetch(links.player(username), {
    cache: 'no-cache',
    headers: { Accept: 'text/html' },
  });
  if (!response.ok) {
    slot.replaceChildren();
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const sections = SECTIONS.flatMap((selector) => page.querySelector(selector) ?? []).filter(
    (section) => section.querySelector(':scope > .empty') === null,
  );
  // Plots stay pictures: the page would load much more script.
  for (const plot of sections.flatMap((section) => [...section.querySelectorAll('[data-plot]')]))
    plot.removeAttribute('data-plot');
  slot.replaceChildren(...sections.map((section) => document.adoptNode(section)));
  session.showTimes(slot);
}

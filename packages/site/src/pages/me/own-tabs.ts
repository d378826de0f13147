import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { choices } from '../../parts/choices.ts';

/** Tabs of the reader's own page. What they follow has a page of its own, which readers without a session have, too. */
export const meTabs = ['overview', 'profile', 'data'] as const;
export type MeTab = (typeof meTabs)[number];

/** The tabs of a signed-in reader. */
export function ownTabs(current: MeTab | 'following'): Html {
  return html`<div class="own-tabs">
    ${choices('Parts of your page', [
      { text: 'Overview', href: links.me(), isCurrent: current === 'overview' },
      { text: 'Following', href: links.following, isCurrent: current === 'following' },
      { text: 'Profile', href: links.me({ tab: 'profile' }), isCurrent: current === 'profile' },
      { text: 'Data', href: links.me({ tab: 'data' }), isCurrent: current === 'data' },
    ])}
  </div>`;
}

import type { FollowKind } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import { links } from '../links.ts';
import { NOTICE } from './notice.ts';

/** Follows what the page shows: the script replaces the link by the button, which needs no account. */
export function follow(kind: FollowKind, id: string | number, path: string): Html {
  return html`<div class="follow" data-island="follow" data-kind="${kind}" data-id="${id}">
    <a class="button" href="${links.signIn({ next: path })}" rel="nofollow">Sign in to follow</a>
    <button type="button" aria-pressed="false" hidden>Follow</button>
    <a class="manage" href="${links.following}" hidden>Rules and channels</a>
    ${NOTICE}
  </div>`;
}

import { links } from '../links.ts';
import type { BodyOf } from '@lobbystats/client';
import { showAvatar } from './elements.ts';
import { apiOf, attempt, type Attempt } from './api.ts';
import { fill, fillTime, find, itemOf, noticeOf, onClick } from './form.ts';
import type { Session } from './island.ts';
import { announceWrite } from './writes.ts';

type Ratings = BodyOf<'listOwnRatings'>;

/** A page of the ratings that the reader has given; the URL has its offset. */
export async function showGivenRatings(element: HTMLElement, session: Session): Promise<void> {
  const section = find(element, '#given');
  const asked = { session, notice: noticeOf(section) };
  await attempt(asked, async () => {
    const offset = Number(new URLSearchParams(location.search).get('ratingsOffset') ?? 0);
    showPage(section, asked, await apiOf(session).listOwnRatings({ offset }));
  });
}

function showPage(section: HTMLElement, asked: Attempt, page: Ratings): void {
  const { ratings, total, limit, offset, hasMore } = page;
  find(section, '#given-empty').hidden = ratings.length > 0;
  find(section, '#given-list').replaceChildren(...ratings.map((rating) => item(section, asked, rating)));
  const pager = find(section, '#given-pager');
  pager.hidden = total <= limit && offset === 0;
  fill(pager, { range: `${Math.min(offset + 1, total)}–${Math.min(offset + limit, total)} of ${total}` });
  const link = (selector: string, isShown: boolean, to: number) => {
    const found = find<HTMLAnchorElement>(pager, selector);
    found.hidden = !isShown;
    found.href = `${links.me({ tab: 'profile', ratingsOffset: to === 0 ? undefined : to })}#given`;
  };
  link('.previous', offset > 0, Math.max(0, offset - limit));
  link('.next', hasMore, offset + limit);
}

function item(
  section: HTMLElement,
  asked: Attempt,
  { username, stars, comment, createdAt, counts }: Ratings['ratings'][number],
) {
  const row = itemOf(section, '#given-template');
  fill(row, {
    player: username,
    stars: `${stars} of 5 stars`,
    barred: counts ? '' : 'does not count: the operators have barred you from rating',
    comment: comment ?? '',
  });
  fillTime(row, 'at', createdAt, asked.session);
  const path = links.player(username);
  const link = find<HTMLAnchorElement>(row, '[data-slot="player"]');
  link.href = path;
  showAvatar(link, username);
  find<HTMLAnchorElement>(row, '.change').href = `${links.player(username, { tab: 'ratings' })}#rate`;
  const remove = find(row, '.remove');
  remove.setAttribute('aria-label', `Remove your rating of ${username}`);
  onClick(remove, () =>
    attempt(asked, async () => {
      await apiOf(asked.session).removeRating({ username });
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      (next?.querySelector<HTMLElement>('.remove') ?? section).focus();
      asked.notice.show(`Your rating of ${username} is removed.`);
      announceWrite(asked.session.main);
    }),
  );
  return row;
}

import { operations, type EventStatus } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { changeList } from '../../parts/change-item.ts';
import { list } from '../../parts/list.ts';
import { part, section } from '../../parts/part.ts';
import { formatCount, name, time } from '../../parts/text.ts';

const { listEvents, listLeaderboards, listTitleChanges } = operations;

const LISTED = 6;

/** Links to all leaderboards of a game. */
export async function gameLeaderboards(titleId: string, data: PageData): Promise<Html> {
  const boards = await data.askPart(listLeaderboards, { titleId });
  const content = part(boards, (all) =>
    list({
      id: 'board',
      rows: all,
      key: ({ id }) => id,
      empty: 'This game has no leaderboards',
      className: 'names card',
      item: (board) => html`<a href="${links.leaderboard(titleId, board.id)}">${name(board.name)}</a>`,
    }),
  );
  return section('leaderboards', 'Leaderboards', content, boards && formatCount(boards.length));
}

const STATUSES: readonly EventStatus[] = ['running', 'upcoming', 'past'];

/** Running events first, then those to come, then those that are over. */
export async function gameEvents(titleId: string, data: PageData): Promise<Html> {
  const lists = await Promise.all(
    STATUSES.map(async (status) => {
      const found = await data.askPart(listEvents, {}, { titleId, status, limit: LISTED });
      return found?.map((event) => ({ ...event, status }));
    }),
  );
  const known = lists.every((found) => found !== undefined) ? lists.flat() : undefined;
  const content = part(known, (rows) =>
    list({
      id: 'event',
      rows,
      key: ({ id }) => id,
      empty: 'No event of this game is announced',
      item: ({ id, title, starts_at, status }) =>
        html`<a href="${links.event(id)}">${name(title)}</a>
          ${status !== 'upcoming' && html`<span class="tag">${status}</span>`}
          <p class="hint">${time(starts_at, 'exact')}</p>`,
    }),
  );
  return section('events', 'Events', content, html`<a href="${links.events({ game: titleId })}">All of its events</a>`);
}

/** The newest changes of the game's leaderboards. */
export async function gameChanges(titleId: string, data: PageData): Promise<Html> {
  const page = await data.askPart(listTitleChanges, { titleId }, { limit: LISTED });
  const content = part(page, ({ changes }) => changeList({ titles: data.titles, changes, empty: 'No changes yet' }));
  const all = html`<a href="${links.changes({ game: titleId })}">All of its changes</a>`;
  return section('changes', 'Leaderboard changes', content, all);
}

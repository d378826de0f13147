import { operations, type Change, type EventStatus, type OperationResponse } from '@lobbystats/contracts';
import { changeSummary } from '../../../feeds/change-text.ts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { empty, part, section } from '../../parts/part.ts';
import { formatCount, name, playerLink, time } from '../../parts/text.ts';

const { listEvents, listLeaderboards, listTitleChanges } = operations;

const LISTED = 6;

/** Links to all leaderboards of a game. */
export async function gameLeaderboards(titleId: string, data: PageData): Promise<Html> {
  const boards = await data.askPart(listLeaderboards, { titleId });
  const content = part(boards, (all) =>
    all.length === 0
      ? empty('This game has no leaderboards')
      : html`<ul class="names card">
          ${all.map(
            (board) => html`<li><a href="${links.leaderboard(titleId, board.id)}">${name(board.name)}</a></li>`,
          )}
        </ul>`,
  );
  return section('leaderboards', 'Leaderboards', content, boards && formatCount(boards.length));
}

type PublicEvent = OperationResponse<typeof listEvents>[number];
const STATUSES: readonly EventStatus[] = ['running', 'upcoming', 'past'];

/** Running events first, then those to come, then those that are over. */
export async function gameEvents(titleId: string, data: PageData): Promise<Html> {
  const lists = await Promise.all(
    STATUSES.map((status) => data.askPart(listEvents, {}, { titleId, status, limit: LISTED })),
  );
  const known = lists.every((list) => list !== undefined) ? lists : undefined;
  const content = part(known, (all) =>
    all.every((list) => list.length === 0)
      ? empty('No event of this game is announced')
      : html`<ul class="list">
          ${all.map((list, index) => list.map((event) => eventItem(event, STATUSES[index] ?? 'upcoming')))}
        </ul>`,
  );
  return section('events', 'Events', content, html`<a href="${links.events({ game: titleId })}">All of its events</a>`);
}

function eventItem({ id, title, starts_at }: PublicEvent, status: EventStatus): Html {
  return html`<li>
    <a href="${links.event(id)}">${name(title)}</a> ${status !== 'upcoming' && html`<span class="tag">${status}</span>`}
    <p class="hint">${time(starts_at, 'beside')}</p>
  </li>`;
}

/** The newest changes of the game's leaderboards. */
export async function gameChanges(titleId: string, data: PageData): Promise<Html> {
  const page = await data.askPart(listTitleChanges, { titleId }, { limit: LISTED });
  const content = part(page, ({ changes }) =>
    changes.length === 0
      ? empty('No changes yet')
      : html`<ul class="list">
          ${changes.map(changeItem)}
        </ul>`,
  );
  const all = html`<a href="${links.changes({ game: titleId })}">All of its changes</a>`;
  return section('changes', 'Leaderboard changes', content, all);
}

function changeItem(change: Change): Html {
  return html`<li>
    ${playerLink(change.playerName)} ·
    <a href="${links.leaderboard(change.titleId, change.leaderboardId)}">${name(change.leaderboardName)}</a>
    <p class="hint">${name(changeSummary(change))} · ${time(change.changedAt)}</p>
  </li>`;
}

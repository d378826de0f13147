import { operations, type EventStatus, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { changeList } from '../../parts/change-item.ts';
import { recordsOf } from '../../parts/records.ts';
import { achievementTable } from '../../parts/achievement-table.ts';
import { groupByStatus } from '../../parts/events-by-status.ts';
import { missingText } from '../../parts/missing-text.ts';
import { list } from '../../parts/list.ts';
import { part, section } from '../../parts/part.ts';
import { name, playerLink, plural, time } from '../../parts/text.ts';

const { listAchievements, listEvents, listTitleChanges, listUsersOnline } = operations;

const LISTED = 5;
const PEOPLE = 9;

type User = OperationResponse<typeof listUsersOnline>['users'][number];

/** Lists players who are online in the game. With JavaScript the reader's friends come first, and all of them are named. */
export async function gamePeople(titleId: string, gameName: string, data: PageData): Promise<Html> {
  const found = await data.askPart(listUsersOnline, {}, { titleId, limit: PEOPLE });
  const content = part(
    found,
    ({ users, total }) =>
      html`<p class="hint" data-island="friends" data-friends="game" data-game="${gameName}"></p>
        ${list({
          ...{ id: 'user', rows: users, key: ({ username }: User) => username, className: 'list people' },
          empty: 'Nobody is known to play it now',
          item: ({ username }: User) => playerLink(username),
        })}
        ${
          total > users.length &&
          html`<p class="more"><a href="${links.live({ game: titleId })}#online">All ${plural(total, 'player')}</a></p>`
        }`,
  );
  return section('online', 'Online now', content, found && found.total > 0 ? plural(found.total, 'player') : undefined);
}

const STATUSES: readonly EventStatus[] = ['running', 'upcoming', 'past'];

/** Running events first, then those to come, then those that are over; nothing of a game without any. */
export async function gameEvents(titleId: string, data: PageData): Promise<Html | ''> {
  const known = await data.askPart(listEvents, {}, { titleId });
  if (known?.length === 0) return '';
  const content = part(known, (all) => {
    const byStatus = groupByStatus(all, data.now);
    return list({
      id: 'event',
      rows: STATUSES.flatMap((status) => byStatus[status].slice(0, LISTED).map((event) => ({ ...event, status }))),
      key: ({ id }) => id,
      empty: '',
      item: ({ id, title, starts_at, status }) =>
        html`<a href="${links.event(id)}">${name(title)}</a>
          ${status !== 'upcoming' && html`<span class="tag">${status}</span>`}
          <p class="hint">${time(starts_at, 'exact')}</p>`,
    });
  });
  return section('events', 'Events', content, html`<a href="${links.events({ game: titleId })}">All of its events</a>`);
}

/** The newest changes of the game's leaderboards. */
export async function gameChanges(titleId: string, data: PageData): Promise<Html> {
  const page = await data.askPart(listTitleChanges, { titleId }, { limit: LISTED });
  const [records, missing] = await Promise.all([recordsOf(page?.changes, data), missingText('leaderboards', data)]);
  const empty = missing ?? 'No changes yet';
  const content = part(page, ({ changes }) =>
    changeList({ titles: data.titles, changes, records, empty, isOfOneGame: true }),
  );
  const all = html`<a href="${links.changes({ game: titleId })}">All of its changes</a>`;
  return section('changes', 'Leaderboard changes', content, all);
}

/** Achievements of the game, the rarest first; nothing if it has none. */
export async function gameAchievements(titleId: string, data: PageData): Promise<Html | ''> {
  const all = await data.askPart(listAchievements);
  const rows = all?.achievements.filter((achievement) => achievement.game_title_id === titleId);
  if (all === undefined || rows === undefined || rows.length === 0) return '';
  const content = achievementTable(data.titles, all, {
    caption: 'Achievements of this game, the rarest first',
    empty: '',
    rows: rows.toSorted((a, b) => a.unlockedBy - b.unlockedBy),
  });
  return section('achievements', 'Achievements', content, html`<a href="${links.achievements()}">All achievements</a>`);
}

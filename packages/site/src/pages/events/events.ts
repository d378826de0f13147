import {
  emptyToUndefined,
  eventStatuses,
  offset,
  OFFSET_MAX,
  oneOf,
  operations,
  type EventStatus,
  type PublicEvent,
  plainText,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { z } from 'zod';
import { calendarPath, calendars, gamesOf, webcal } from './event-calendars.ts';
import { eventList } from './event-list.ts';
import { html, raw, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type PageData } from '../../page.ts';
import { choices } from '../../parts/choices.ts';
import { groupByStatus } from '../../parts/events-by-status.ts';
import { meantGame } from '../../parts/meant-game.ts';
import { missingText, missingTextOperations } from '../../parts/missing-text.ts';
import { pager } from '../../parts/pager.ts';
import { part, section } from '../../parts/part.ts';
import { gameNameOf, formatCount, gameLink } from '../../parts/text.ts';

const { listEvents } = operations;

const PAGE_SIZE = 25;
/** Events of each status on the page of all. */
const LISTED = { running: PAGE_SIZE, upcoming: 10, past: 5 } as const;
const HEADINGS = { running: 'Running', upcoming: 'Upcoming', past: 'Past' } as const;
const SECTIONS = ['running', 'upcoming', 'past'] as const;

const query = z.object({
  status: oneOf(eventStatuses).optional(),
  game: z.string({ error: 'must be given once' }).transform(emptyToUndefined).optional(),
  offset,
});

export const events = definePage({
  id: 'getEventsPage',
  path: links.events(),
  params: z.object({}),
  query,
  style: 'events',
  asks: [listEvents, ...missingTextOperations],
  view: async ({ query: { status, game, offset: from } }, data) => {
    const [all, missing] = await Promise.all([data.askPart(listEvents), missingText('events', data)]);
    const titleId = game === undefined ? undefined : titleOf(game, all ?? [], data);
    const gameName = titleId === undefined ? undefined : gameNameOf(data.titles, titleId);
    const filter = { status, titleId, gameName, offset: from, missing };
    return {
      title: gameName === undefined ? 'Events' : plainText`Events of ${gameName}`,
      description: `Running, upcoming and past events and tournaments${gameName === undefined ? '' : plainText` of ${gameName}`}: times, entry, prizes, and a calendar to subscribe to.`,
      path: pathOf(filter),
      topics: ['events', 'backfill'],
      alternates: [
        { type: mediaTypes.json, href: apiPath(listEvents.path, {}, { status, titleId }), title: 'Events as JSON' },
        { type: mediaTypes.calendar, href: calendarPath(titleId), title: 'Events as iCalendar' },
      ],
      content: html`<div class="head">
          <h1>Events${titleId !== undefined && html` of ${gameOf(titleId, data)}`}</h1>
          <p>
            <a class="button main" href="${webcal(data.siteUrl + calendarPath(titleId))}">Subscribe</a>
            <a class="button" href="#calendar">How?</a>
          </p>
        </div>
        ${part(all, (found) => lists(found, filter, data))}
        ${section('calendar', 'Calendar', calendars(all ?? [], titleId, data))}`,
    };
  },
});

interface Filter {
  readonly status: EventStatus | undefined;
  readonly titleId: string | undefined;
  readonly gameName: string | undefined;
  readonly offset: number;
  /** Why there are no events at all. */
  readonly missing: string | undefined;
}

/** Events name titles that have no page yet. */
function titleOf(game: string, all: readonly PublicEvent[], data: PageData): string {
  const asId = game.toLowerCase();
  const titleId = all.some(({ title_id }) => title_id === asId) ? asId : meantGame(game, data.titles).titleId;
  if (titleId === undefined) throw new AppError('not-found', 'Unknown game');
  return titleId;
}

function gameOf(titleId: string, { titles }: PageData): Html {
  return gameLink(titles, titleId);
}

function pathOf({ status, titleId, offset: from }: Pick<Filter, 'status' | 'titleId' | 'offset'>): string {
  return links.events({ status, game: titleId, offset: from === 0 ? undefined : from });
}

function lists(all: readonly PublicEvent[], filter: Filter, data: PageData): Html {
  const { status, titleId } = filter;
  const byStatus = groupByStatus(
    all.filter(({ title_id }) => titleId === undefined || title_id === titleId),
    data.now,
  );
  const listed = SECTIONS.filter(
    (one) => one !== 'running' || byStatus.running.length > 0 || byStatus.upcoming.length === 0,
  );
  const shown = status === undefined ? listed : [status];
  return html`${gameFilter(all, filter, data)} ${statusChoices(byStatus, filter)}
  ${shown.map((one) => statusSection(one, byStatus[one], filter, data))}`;
}

function gameFilter(all: readonly PublicEvent[], { status, titleId }: Filter, data: PageData): Html {
  return html`<form class="filters" action="${links.events()}">
    ${status !== undefined && html`<input type="hidden" name="status" value="${status}" />`}
    <label
      >Game
      <select name="game">
        <option value="">All games</option>
        ${gamesOf(all, data).map(
          (game) =>
            html`<option value="${game.titleId}" ${game.titleId === titleId ? raw(' selected') : ''}>
              ${game.gameName}
            </option>`,
        )}
      </select>
    </label>
    <button>Show</button>
  </form>`;
}

function statusChoices(byStatus: Record<EventStatus, readonly PublicEvent[]>, { status, titleId }: Filter): Html {
  const choice = (of: EventStatus | undefined, text: string) => ({
    text,
    href: pathOf({ status: of, titleId, offset: 0 }),
    isCurrent: of === status,
  });
  return choices('Status', [
    choice(undefined, 'All'),
    ...SECTIONS.map((of) => choice(of, `${HEADINGS[of]} (${formatCount(byStatus[of].length)})`)),
  ]);
}

function statusSection(of: EventStatus, found: readonly PublicEvent[], filter: Filter, data: PageData): Html {
  const { status, titleId } = filter;
  const [from, limit] = status === undefined ? [0, LISTED[of]] : [filter.offset, PAGE_SIZE];
  const none = filter.missing ?? (from > 0 ? 'No events on this page' : NONE[of]);
  const list = eventList({ events: found.slice(from, from + limit), isOver: of === 'past', none }, data);
  const href = (to: number) => pathOf({ status: of, titleId, offset: to });
  const pages =
    status === undefined
      ? ''
      : pager({ total: found.length, limit, offset: from, href, label: `${of} events`, offsetMax: OFFSET_MAX });
  const aside =
    status === undefined && found.length > limit
      ? html`<a href="${href(0)}">All ${formatCount(found.length)} ${of} events</a>`
      : undefined;
  return section(of, HEADINGS[of], html`${list}${pages}`, aside);
}

const NONE = {
  running: 'No event is running',
  upcoming: 'No event is announced',
  past: 'No event has ended in the last 30 days',
} as const;

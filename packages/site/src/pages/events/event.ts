import {
  eventStatus,
  operations,
  parseInstant,
  pathId,
  type EventStatus,
  type PublicEvent,
  isolated,
  plainText,
} from '@lobbystats/contracts';
import { z } from 'zod';
import { imagePaths } from '../../image-paths.ts';
import { dateLeaf, entryText, eventGame, eventTime, prizeText, registrationText } from './event-texts.ts';
import { instantText, UTC } from '../../dates.ts';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type PageData } from '../../page.ts';
import { follow } from '../../parts/follow.ts';
import { gameBackdrop } from '../../parts/game-card.ts';
import { empty, section } from '../../parts/part.ts';
import { formatCount, name } from '../../parts/text.ts';

const { getEvent, getEventCalendar } = operations;

const STATUS_TEXTS = { upcoming: 'upcoming', running: 'running', past: 'over' } as const;

export const event = definePage({
  id: 'getEventPage',
  path: '/event/:eventId',
  params: z.object({ eventId: pathId }),
  query: z.object({}),
  style: 'events',
  asks: [getEvent],
  view: async ({ params: { eventId } }, data) => {
    const found = await data.ask(getEvent, { eventId });
    const { id, title, title_id: titleId, description, starts_at } = found;
    const status = statusOf(found, data);
    const hasGame = titleId !== null && data.titles.known(titleId) !== undefined;
    return {
      title: isolated(title),
      description: `${isolated(title)}${found.game_name === '' ? '' : plainText`, ${found.game_name}`}: ${found.item_kind}, ${instantText(parseInstant(starts_at) * 1000, UTC)}.`,
      path: links.event(id),
      ...(hasGame && { image: imagePaths.game.replace(':game', titleId) }),
      topics: ['events'],
      alternates: [
        { type: mediaTypes.json, href: apiPath(getEvent.path, { eventId: id }), title: 'This event as JSON' },
        { type: mediaTypes.calendar, href: calendarFile(id), title: 'This event as iCalendar' },
      ],
      content: html`<div class="banner hero">
          ${hasGame && gameBackdrop(titleId)} ${dateLeaf(found)}
          <div>
            <h1>${name(title)}</h1>
            <p><span class="tag">${found.item_kind}</span> <span class="tag">${STATUS_TEXTS[status]}</span></p>
            ${follow('event', id, links.event(id))}
          </div>
          <div class="event">
            ${eventTime(found, status === 'past')}
            <p><a class="button main" href="${calendarFile(id)}">Add to calendar</a></p>
          </div>
        </div>
        ${section('facts', 'Details', facts(found, status, data))}
        ${section('description', 'Description', description === '' ? empty('No description') : paragraphs(description))}
        <p class="more">
          <a href="${links.events()}">All events</a>${
            titleId !== null &&
            html` · <a href="${links.events({ game: titleId })}">Events of this game</a> ·
              <a href="${links.events({ game: titleId })}#calendar">Subscribe to them</a>`
          }
        </p>`,
    };
  },
});

function statusOf({ starts_at, ends_at }: PublicEvent, { now }: PageData): EventStatus {
  return eventStatus(parseInstant(starts_at), ends_at === null ? null : parseInstant(ends_at), now);
}

function calendarFile(eventId: number): string {
  return apiPath(getEventCalendar.path, { eventId });
}

function facts(found: PublicEvent, status: EventStatus, data: PageData): Html {
  const sats = (amount: number | null) => (amount === null ? undefined : `${formatCount(amount)} sats`);
  const rows: readonly (readonly [string, Html | string | undefined | null])[] = [
    ['Game', eventGame(found, data)],
    ['In its time zone', zoneTime(found)],
    ['Tournament', found.tournament_status === null ? null : name(found.tournament_status)],
    ['Sign-ups', formatCount(found.signup_count)],
    ['Registration', status === 'past' ? registrationText(found) : whereToRegister(found)],
    ['Entry', entryText(found)],
    ['Prize', prizeText(found) ?? 'None'],
    ['Total reward', sats(found.reward_total_sats)],
    ['Verified pot', sats(found.pot_verified_balance_sats)],
    ['Sponsor', found.sponsor_name === null ? null : name(found.sponsor_name)],
  ];
  return html`<dl class="facts card">
    ${rows.map(
      ([label, value]) =>
        value &&
        html`<dt>${label}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

function whereToRegister(found: PublicEvent): Html | string {
  const known = registrationText(found);
  return known === undefined ? 'On the network’s site' : html`${known}, on the network’s site`;
}

/** As it was announced: times of day of the event's zone. */
function zoneTime({ event_date, start_time, end_time, event_timezone }: PublicEvent): Html {
  const end = end_time === null ? '' : ` to ${end_time}${end_time < start_time ? ' of the next day' : ''}`;
  return html`${event_date} ${start_time}${end} (${name(event_timezone)})`;
}

/** Blank lines separate paragraphs. */
function paragraphs(text: string): Html {
  const all = text
    .replaceAll('\r', '')
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '');
  return html`<div class="prose card">${all.map((paragraph) => html`<p dir="auto">${paragraph.trim()}</p>`)}</div>`;
}

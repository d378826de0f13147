import { operations, type PublicEvent } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { apiPath } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { list } from '../../parts/list.ts';
import { gameNameOf, name } from '../../parts/text.ts';

/** Path of the calendar of a game's events, or of all events. */
export function calendarPath(titleId?: string): string {
  return titleId === undefined
    ? operations.getEventsCalendar.path
    : apiPath(operations.getTitleEventsCalendar.path, { titleId });
}

/** How to subscribe to the calendar that fits the page, and the calendars of single games. */
export function calendars(events: readonly PublicEvent[], titleId: string | undefined, data: PageData): Html {
  const url = data.siteUrl + calendarPath(titleId);
  const of = titleId === undefined ? 'all events' : html`the events of ${name(gameNameOf(data.titles, titleId))}`;
  return html`<p>
      Subscribe to ${of}: your calendar program shows each event in your time zone, reads the feed again every hour, and
      follows changes of an event.
    </p>
    <ul class="steps">
      <li id="calendar-program"><a href="${webcal(url)}">Subscribe</a> in the calendar program of this device.</li>
      <li id="web-calendar">
        Web calendars: add a calendar from its URL,
        <a href="${url}"><code>${url}</code></a>
      </li>
    </ul>
    ${titleId === undefined && gameCalendars(events, data)}`;
}

function gameCalendars(events: readonly PublicEvent[], data: PageData): Html | '' {
  const games = gamesOf(events, data);
  if (games.length === 0) return '';
  return html`<details id="game-calendars">
    <summary>Calendars of single games</summary>
    ${list({
      id: 'calendar',
      rows: games,
      key: ({ titleId }) => titleId,
      empty: '',
      item: ({ titleId, gameName }) => {
        const url = data.siteUrl + calendarPath(titleId);
        return html`${name(gameName)}: <a href="${webcal(url)}">subscribe</a> ·
          <a href="${url}"><code>${url}</code></a>`;
      },
    })}
  </details>`;
}

interface EventGame {
  readonly titleId: string;
  readonly gameName: string;
}

/** The games of events, by name. */
export function gamesOf(events: readonly PublicEvent[], { titles }: PageData): EventGame[] {
  const games = new Map(
    events.flatMap(({ title_id: titleId, game_name }) => {
      if (titleId === null) return [];
      const gameName =
        titles.known(titleId) === undefined && game_name !== '' ? game_name : gameNameOf(titles, titleId);
      return [[titleId, { titleId, gameName }] as const];
    }),
  );
  return [...games.values()].sort((a, b) => a.gameName.localeCompare(b.gameName, 'en'));
}

/** The scheme on which calendar programs are opened: https://www.iana.org/assignments/uri-schemes/prov/webcal */
export function webcal(url: string): string {
  return url.replace(/^https?:/, 'webcal:');
}

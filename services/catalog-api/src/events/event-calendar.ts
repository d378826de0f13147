import type { EpochSeconds } from '@lobbystats/contracts';
import ical, { ICalCalendarMethod, type ICalCalendarData } from 'ical-generator';
import type { StoredEvent } from './event-store.ts';

export interface CalendarOptions {
  /** Makes the UIDs globally unique. */
  host: string;
  changedAt: EpochSeconds;
}

/**
 * A feed for subscriptions: iCalendar, RFC 5545, in UTC. Equal events give equal bytes.
 *
 * @param game name of the game whose events they are; undefined: of all games
 */
export function eventFeed(events: readonly StoredEvent[], options: CalendarOptions, game?: string): string {
  const name = game === undefined ? 'Lobbystats events' : `Lobbystats events: ${escapeText(game)}`;
  return calendarOf(events, options, { name, ttl: REFRESH_SECONDS });
}

/** One event, to be added to a calendar: it has the UID of the feeds. */
export function eventFile(event: StoredEvent, options: CalendarOptions): string {
  return calendarOf([event], options, {});
}

function calendarOf(
  events: readonly StoredEvent[],
  { host, changedAt }: CalendarOptions,
  about: Pick<ICalCalendarData, 'name' | 'ttl'>,
): string {
  const calendar = ical({
    ...about,
    prodId: { company: 'Lobbystats', product: 'Events', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const stamp = dateOf(changedAt);
  for (const { event, startsAt, endsAt } of events) {
    const entry = calendar.createEvent({
      id: `event-${event.id}@${host}`,
      stamp,
      start: dateOf(startsAt),
      // RFC 5545 requires an end after the start; without one an event ends at its start.
      end: endsAt === null || endsAt === startsAt ? null : dateOf(endsAt),
      summary: plain(event.title),
    });
    if (event.description !== '') entry.description(plain(event.description));
    if (event.game_name !== '') entry.createCategory({ name: plain(event.game_name) });
  }
  return `${calendar.toString()}\r\n`;
}

/** In seconds. Events are read every 15 minutes. */
const REFRESH_SECONDS = 3600;

/** ical-generator mishandles numbers. */
function dateOf(instant: EpochSeconds): Date {
  return new Date(instant * 1000);
}

/** Removes control characters and lone surrogates, which RFC 5545 and UTF-8 exclude. */
function plain(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, '');
}

/** RFC 5545, section 3.3.11. ical-generator escapes the texts of events, but not the name of the calendar. */
function escapeText(text: string): string {
  return plain(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n');
}

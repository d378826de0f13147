import type { EpochSeconds } from '@lobbystats/contracts';
import ical, { ICalCalendarMethod } from 'ical-generator';
import type { StoredEvent } from './event-store.ts';

export interface CalendarOptions {
  /** Makes the UIDs globally unique. */
  host: string;
  changedAt: EpochSeconds;
  /** Name of the game whose events they are; undefined: of all games. */
  game?: string | undefined;
}

/** iCalendar, RFC 5545, in UTC. Equal events give equal bytes. */
export function eventCalendar(events: readonly StoredEvent[], { host, changedAt, game }: CalendarOptions): string {
  const calendar = ical({
    name: game === undefined ? 'Lobbystats events' : `Lobbystats events: ${escapeText(game)}`,
    prodId: { company: 'Lobbystats', product: 'Events', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
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

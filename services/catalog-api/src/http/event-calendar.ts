import type { EpochSeconds } from '@lobbystats/contracts';
import ical, { ICalCalendarMethod } from 'ical-generator';
import type { StoredEvent } from '../domain/event-store.ts';

export interface CalendarOptions {
  /** What makes the events' UIDs unique in the world: the host under which the product is known. */
  host: string;
  /** When the events last changed. */
  changedAt: EpochSeconds;
}

/** Events as an iCalendar feed, RFC 5545, all times in UTC. The same events make the same bytes. */
export function eventCalendar(events: readonly StoredEvent[], { host, changedAt }: CalendarOptions): string {
  const calendar = ical({
    name: 'Lobbystats events',
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
      // RFC 5545 wants an end that is later than the start; without one an event ends as it starts.
      end: endsAt === null || endsAt === startsAt ? null : dateOf(endsAt),
      summary: plain(event.title),
    });
    if (event.description !== '') entry.description(plain(event.description));
    if (event.game_name !== '') entry.createCategory({ name: plain(event.game_name) });
  }
  return `${calendar.toString()}\r\n`;
}

/** Events are announced every quarter of an hour; readers need not come as often. */
const REFRESH_SECONDS = 3600;

/** The library takes numbers for nothing. */
function dateOf(instant: EpochSeconds): Date {
  return new Date(instant * 1000);
}

/** RFC 5545 has no control characters in its texts but tabs and line breaks; neither has UTF-8 lone surrogates. */
function plain(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, '');
}

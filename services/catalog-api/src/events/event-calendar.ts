import { eventEnd, eventPagePath, isolated, type AnnouncedEvent, type EpochSeconds } from '@lobbystats/contracts';
import ical, { ICalAlarmType, ICalCalendarMethod, type ICalCalendarData } from 'ical-generator';
import type { StoredEvent } from './events.queries.ts';

/** Fields of an announced event that calendars show, beside its times. */
export const CALENDAR_FIELDS = ['title', 'description', 'game_name'] as const satisfies (keyof AnnouncedEvent)[];

/**
 * A feed for subscriptions: iCalendar, RFC 5545, in UTC. Equal events give equal bytes.
 *
 * @param publicUrl URL of the site; its host makes the UIDs globally unique
 * @param about which events they are, such as the name of a game; undefined: all
 */
export function eventFeed(events: readonly StoredEvent[], publicUrl: string, about?: string): string {
  const name = about === undefined ? 'Lobbystats events' : `Lobbystats events: ${escapeText(about)}`;
  return calendarOf(events, publicUrl, { name, ttl: REFRESH_SECONDS });
}

/** One event, to be added to a calendar: it has the UID of the feeds. */
export function eventFile(event: StoredEvent, publicUrl: string): string {
  return calendarOf([event], publicUrl, {}, ALARM_SECONDS);
}

/** File name of an event, in ASCII: `harbor-night.ics`. */
export function eventFileName({ id, title }: Pick<AnnouncedEvent, 'id' | 'title'>): string {
  const words =
    title
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, 60).replace(/-$/, '');
  return `${name === '' ? `event-${id}` : name}.ics`;
}

function calendarOf(
  events: readonly StoredEvent[],
  publicUrl: string,
  about: Pick<ICalCalendarData, 'name' | 'ttl'>,
  alarmSeconds?: number,
): string {
  const { host } = new URL(publicUrl);
  const calendar = ical({
    ...about,
    prodId: { company: 'Lobbystats', product: 'Events', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  for (const { event, startsAt, endsAt, revisedAt } of events) {
    const end = eventEnd(startsAt, endsAt);
    const entry = calendar.createEvent({
      id: `event-${event.id}@${host}`,
      stamp: dateOf(revisedAt),
      start: dateOf(startsAt),
      // RFC 5545 requires an end after the start; without one an event ends at its start.
      end: end === startsAt ? null : dateOf(end),
      summary: plain(event.title),
      url: publicUrl.replace(/\/$/, '') + eventPagePath(event.id),
      sequence: sequenceOf(revisedAt),
    });
    entry.lastModified(dateOf(revisedAt));
    if (alarmSeconds !== undefined) entry.createAlarm({ type: ICalAlarmType.display, trigger: alarmSeconds });
    if (event.description !== '') entry.description(plain(event.description));
    if (event.game_name !== '') entry.createCategory({ name: plain(event.game_name) });
  }
  return `${calendar.toString()}\r\n`;
}

/** In seconds. Events are read every 15 minutes. */
const REFRESH_SECONDS = 3600;
/** Seconds before the start. */
const ALARM_SECONDS = 900;
const SEQUENCE_START: EpochSeconds = Date.UTC(2026) / 1000;

/**
 * Grows with each revision, as RFC 5546 (section 2.1.4) requires, also when an event was withdrawn in between: seconds, in
 * which two announcements differ.
 */
function sequenceOf(revisedAt: EpochSeconds): number {
  return Math.max(0, revisedAt - SEQUENCE_START);
}

/** ical-generator mishandles numbers. */
function dateOf(instant: EpochSeconds): Date {
  return new Date(instant * 1000);
}

/** Removes control characters and lone surrogates, which RFC 5545 and UTF-8 exclude; what turns the text ends with it. */
function plain(text: string): string {
  return isolated(text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, ''));
}

/** RFC 5545, section 3.3.11. ical-generator escapes the texts of events, but not the name of the calendar. */
function escapeText(text: string): string {
  return plain(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n');
}

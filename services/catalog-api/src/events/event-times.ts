import {
  DAY_SECONDS,
  eventEnd,
  eventStatus,
  formatDate,
  parseInstant,
  type AnnouncedEvent,
  type EpochSeconds,
  type EventStatus,
} from '@lobbystats/contracts';
import type { TimedEvent } from './events.queries.ts';

export interface Zones {
  /**
   * Follows RFC 5545 section 3.3.5: the first of an ambiguous time; a skipped one as if the clock had not moved on.
   * Takes `YYYY-MM-DD`, `HH:MM` and an IANA name; undefined for an unknown zone.
   */
  instantOf(date: string, time: string, zone: string): EpochSeconds | undefined;
}

/** How long an ended event is listed, in seconds. */
const LISTED_AFTER_END_SECONDS = 30 * DAY_SECONDS;
const MAX_INSTANT = Date.UTC(9999, 11, 31, 23, 59) / 1000;

/**
 * Converts each day by itself, since daylight saving may change in between. An end before its start is on the next day.
 * Undefined for an unknown zone or impossible times.
 */
export function withTimes(event: AnnouncedEvent, zones: Zones): TimedEvent | undefined {
  const { event_date: date, start_time: start, end_time: end, event_timezone: zone } = event;
  const startsAt = zones.instantOf(date, start, zone);
  if (!isRepresentable(startsAt)) return undefined;
  if (end === null) return { event, startsAt, endsAt: null };
  const endsAt = zones.instantOf(end < start ? nextDay(date) : date, end, zone);
  if (!isRepresentable(endsAt)) return undefined;
  // A start in a skipped hour moves forward, and may pass the end.
  return { event, startsAt, endsAt: Math.max(startsAt, endsAt) };
}

export function effectiveEnd({ startsAt, endsAt }: TimedEvent): EpochSeconds {
  return eventEnd(startsAt, endsAt);
}

export function isListed(event: TimedEvent, now: EpochSeconds): boolean {
  return now < effectiveEnd(event) + LISTED_AFTER_END_SECONDS;
}

export function statusOf({ startsAt, endsAt }: TimedEvent, now: EpochSeconds): EventStatus {
  return eventStatus(startsAt, endsAt, now);
}

function isRepresentable(instant: EpochSeconds | undefined): instant is EpochSeconds {
  return instant !== undefined && instant >= 0 && instant <= MAX_INSTANT;
}

function nextDay(date: string): string {
  const next = parseInstant(date) + DAY_SECONDS;
  return next > MAX_INSTANT ? date : formatDate(next);
}

import { DAY_SECONDS, formatDate, parseInstant, type AnnouncedEvent, type EpochSeconds } from '@lobbystats/contracts';
import type { StoredEvent } from './event-store.ts';
import type { Zones } from './zones.ts';

/** Assumed length without an end, in seconds. */
const USUAL_LENGTH_SECONDS = 6 * 3600;
/** How long an ended event is listed, in seconds. */
const SHOWN_AFTER_SECONDS = 30 * DAY_SECONDS;
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59) / 1000;

/**
 * Converts each day by itself, since daylight saving may change in between. An end before its start is on the next day.
 * Undefined for an unknown zone or impossible times.
 */
export function withTimes(event: AnnouncedEvent, zones: Zones): StoredEvent | undefined {
  const { event_date: date, start_time: start, end_time: end, event_timezone: zone } = event;
  const startsAt = zones.instantOf(date, start, zone);
  if (!isShowable(startsAt)) return undefined;
  if (end === null) return { event, startsAt, endsAt: null };
  const endsAt = zones.instantOf(end < start ? nextDay(date) : date, end, zone);
  if (!isShowable(endsAt)) return undefined;
  // A start in a skipped hour moves forward, and may pass the end.
  return { event, startsAt, endsAt: Math.max(startsAt, endsAt) };
}

export function overAt({ startsAt, endsAt }: StoredEvent): EpochSeconds {
  return endsAt ?? startsAt + USUAL_LENGTH_SECONDS;
}

export function isShown(event: StoredEvent, now: EpochSeconds): boolean {
  return now < overAt(event) + SHOWN_AFTER_SECONDS;
}

export function phaseOf(event: StoredEvent, now: EpochSeconds): 'upcoming' | 'active' | 'completed' {
  if (now < event.startsAt) return 'upcoming';
  return now < overAt(event) ? 'active' : 'completed';
}

function isShowable(instant: EpochSeconds | undefined): instant is EpochSeconds {
  return instant !== undefined && instant >= 0 && instant <= LAST_INSTANT;
}

function nextDay(date: string): string {
  const next = parseInstant(date) + DAY_SECONDS;
  return next > LAST_INSTANT ? date : formatDate(next);
}

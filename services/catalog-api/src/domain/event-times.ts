import { DAY_SECONDS, formatDate, parseInstant, type AnnouncedEvent, type EpochSeconds } from '@lobbystats/contracts';
import type { StoredEvent } from './event-store.ts';
import type { Zones } from './zones.ts';

/** An event that names no end is over so long after its start, in seconds. */
const USUAL_LENGTH_SECONDS = 6 * 3600;
/** How long an event is shown when it is over, in seconds. */
const SHOWN_AFTER_SECONDS = 30 * DAY_SECONDS;
/** The years that timestamps can show: 1970 to 9999. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59) / 1000;

/**
 * An event with its times in UTC: each as the clock of its own zone shows it on its own day, so that daylight saving may
 * begin or end in between. An end whose time of day is before the start's is on the next day.
 *
 * @returns undefined when its zone is unknown, or it isn't of these times
 */
export function withTimes(event: AnnouncedEvent, zones: Zones): StoredEvent | undefined {
  const { event_date: date, start_time: start, end_time: end, event_timezone: zone } = event;
  const startsAt = zones.instantOf(date, start, zone);
  if (!isShowable(startsAt)) return undefined;
  if (end === null) return { event, startsAt, endsAt: null };
  const endsAt = zones.instantOf(end < start ? nextDay(date) : date, end, zone);
  if (!isShowable(endsAt)) return undefined;
  // A start that the clock skips is later than it says, and may pass the end.
  return { event, startsAt, endsAt: Math.max(startsAt, endsAt) };
}

/** When an event is over. */
export function overAt({ startsAt, endsAt }: StoredEvent): EpochSeconds {
  return endsAt ?? startsAt + USUAL_LENGTH_SECONDS;
}

/** Whether an event is still shown: until it has been over for 30 days. */
export function isShown(event: StoredEvent, now: EpochSeconds): boolean {
  return now < overAt(event) + SHOWN_AFTER_SECONDS;
}

/** Where an event is in its course: active from its start until it is over. */
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

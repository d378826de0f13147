import { z } from 'zod';
import { networkId, pathId, tags, titleId } from '../primitives/keys.ts';
import { integer, oneOf, queryInstant } from '../primitives/query.ts';
import { date, HOUR_SECONDS, timestamp, type EpochSeconds } from '../primitives/time.ts';
import { gameFilters, count, namedObject, none, publicGet, titleParams } from './fields.ts';
import { operation } from './operation.ts';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day of the form HH:MM');

/** From the network; times of day are in `event_timezone`. */
export const announcedEvent = z.strictObject({
  id: networkId,
  title: z.string(),
  game_name: z.string(),
  title_id: titleId.nullable(),
  game_image: z.string(),
  banner_url: z.string(),
  description: z.string(),
  event_date: date,
  start_time: clock,
  end_time: clock.nullable(),
  event_timezone: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: 'IANA time zone; events with other names are left out', example: 'Europe/Berlin' }),
  item_kind: z.enum(['event', 'tournament']),
  tournament_status: z.string().nullable(),
  signup_count: count,
  has_prize: z.boolean(),
  prize_amount: z.string().nullable(),
  is_paid_event: z.boolean(),
  entry_fee_sats: count.nullable(),
  reward_total_sats: count.nullable(),
  pot_verified_balance_sats: count.nullable(),
  sponsor_name: z.string().nullable(),
  registration_opens_at: timestamp.nullable(),
  registration_closes_at: timestamp.nullable(),
});
export type AnnouncedEvent = z.output<typeof announcedEvent>;

/** Adds UTC times; null without an end. */
export const publicEvent = namedObject('Event', {
  ...announcedEvent.shape,
  start_date_utc: date,
  start_datetime_utc: clock,
  end_date_utc: date.nullable(),
  end_datetime_utc: clock.nullable(),
  starts_at: timestamp,
  ends_at: timestamp.nullable(),
});
export type PublicEvent = z.output<typeof publicEvent>;

export const eventStatuses = ['upcoming', 'running', 'past'] as const;
export type EventStatus = (typeof eventStatuses)[number];

/** An event without an end is over this long after its start. */
const ASSUMED_DURATION_SECONDS = 6 * HOUR_SECONDS;

/** When an event is over. */
export function eventEnd(startsAt: EpochSeconds, endsAt: EpochSeconds | null): EpochSeconds {
  return endsAt ?? startsAt + ASSUMED_DURATION_SECONDS;
}

export function eventStatus(startsAt: EpochSeconds, endsAt: EpochSeconds | null, now: EpochSeconds): EventStatus {
  if (now < startsAt) return 'upcoming';
  return now < eventEnd(startsAt, endsAt) ? 'running' : 'past';
}

/** Path of an event's page. */
export const eventPagePath = (eventId: number | string): string => `/event/${eventId}`;

const event = {
  ...publicGet,
  upstream: 'catalog-api',
  tags: [tags.events],
} as const;

/** `from` and `to` filter by start. */
const eventList = z.object({
  from: queryInstant.optional(),
  to: queryInstant.optional(),
  ...gameFilters,
  status: oneOf(eventStatuses)
    .optional()
    .meta({ description: 'Only events that have not begun, have begun and are not over, or are over, as of now' }),
  limit: integer({ min: 1, max: 200 }).optional(),
});

export const listEvents = operation({
  ...event,
  id: 'listEvents',
  summary: 'Events that are not yet over, or over for less than 30 days, by start',
  path: '/api/events',
  group: 'Events',
  sample: { query: { limit: '3' } },
  description:
    'Times of day are those of the event’s zone; the `…_utc` fields, `starts_at` and `ends_at` are UTC. An event without `end_time` has no end in UTC either, and is over 6 hours after its start. `from` and `to` are of the start. With `status=upcoming` the event that begins soonest is the first.',
  params: none,
  query: eventList,
  errors: { 404: 'There is no title of that ID' },
  response: z.array(publicEvent),
});

export const getEvent = operation({
  ...event,
  id: 'getEvent',
  summary: 'One event',
  description:
    'An event stays readable when it is over and no list shows it any more. One that the network took back before it was over is unknown.',
  path: '/api/events/:eventId',
  group: 'Events',
  params: z.object({ eventId: pathId }),
  query: none,
  response: publicEvent,
});

export const listPaidEvents = operation({
  ...event,
  id: 'listPaidEvents',
  summary: 'The paid ones of the events',
  path: '/api/paid-events',
  group: 'Events',
  sample: { query: { limit: '3' } },
  params: none,
  query: eventList,
  errors: { 404: 'There is no title of that ID' },
  response: z.array(publicEvent),
});

export const getPaidEventsSummary = operation({
  ...event,
  id: 'getPaidEventsSummary',
  summary: 'Counts and sums over the paid events',
  varies: true,
  path: '/api/paid-events/summary',
  group: 'Events',
  params: none,
  query: none,
  response: z.strictObject({
    total: count,
    upcoming: count,
    active: count,
    completed: count,
    totalSignups: count,
    totalEntryFeeSats: count.meta({ description: 'Sum of entry_fee_sats × signup_count' }),
    totalRewardSats: count,
    verifiedPotSats: count,
    nextEvent: publicEvent.nullable(),
  }),
});

const calendar = {
  ...event,
  mediaType: 'text/calendar; charset=utf-8',
  errors: { 404: 'There is no title of that ID' },
  response: z.string(),
} as const;

export const getEventsCalendar = operation({
  ...calendar,
  id: 'getEventsCalendar',
  summary: 'The events as an iCalendar feed',
  description:
    'For a subscription: calendar programs are asked to read it again every hour. An event that changes keeps its UID, and its SEQUENCE and LAST-MODIFIED grow. One without an end is shown for the 6 hours after which it is over.',
  path: '/api/events.ics',
  group: 'Events',
  params: none,
  query: z.object(gameFilters),
});

export const getTitleEventsCalendar = operation({
  ...calendar,
  id: 'getTitleEventsCalendar',
  summary: 'The events of one game as an iCalendar feed',
  description: 'For a subscription. An event has the same UID as in the feed of all events.',
  path: '/api/title/:titleId/events.ics',
  group: 'Events',
  gamePath: '/api/game/:game/events.ics',
  params: titleParams,
  query: none,
  tags: [tags.events, tags.title(':titleId')],
});

const idList = z
  .string()
  .default('')
  .transform((text) => new Set(text.split(',')));

export const getFollowedEventsCalendar = operation({
  ...calendar,
  id: 'getFollowedEventsCalendar',
  audience: 'internal',
  summary: 'The events of these IDs, and of these games, as an iCalendar feed',
  path: '/internal/events.ics',
  params: none,
  query: z.object({ eventIds: idList, titleIds: idList }),
});

export const getEventCalendar = operation({
  ...calendar,
  id: 'getEventCalendar',
  summary: 'One event as an iCalendar file',
  description:
    'To add the event to a calendar, with an alarm 15 minutes before the start. It has the same UID as in the feeds. The file is named after the event.',
  path: '/api/events/:eventId/event.ics',
  group: 'Events',
  params: z.object({ eventId: pathId }),
  query: none,
  errors: {},
});

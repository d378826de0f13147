import { z } from 'zod';
import { announcedEvent, publicEvent } from '../operations/events.ts';
import { networkId, tags } from '../primitives/keys.ts';
import { instant } from '../primitives/time.ts';
import { messageType, observation } from './message-type.ts';

export const EVENTS_MAX = 2000;

const example = {
  id: 31,
  title: 'Harbor Night',
  game_name: 'Harbor Racing',
  title_id: '4d530064',
  game_image: '',
  banner_url: '',
  description: 'Eight laps of the old pier.',
  event_date: '2026-02-07',
  start_time: '20:00',
  end_time: '22:30',
  event_timezone: 'Europe/Berlin',
  item_kind: 'event',
  tournament_status: null,
  signup_count: 14,
  has_prize: false,
  prize_amount: null,
  is_paid_event: false,
  entry_fee_sats: null,
  reward_total_sats: null,
  pot_verified_balance_sats: null,
  sponsor_name: null,
  registration_opens_at: null,
  registration_closes_at: null,
} as const;

export const eventsObserved = messageType({
  ...observation,
  key: 'events.observed',
  summary: 'All events that the network announces, if any of them has changed.',
  consumers: ['catalog-api'],
  data: z.strictObject({
    seenAt: instant,
    events: z.array(announcedEvent).max(EVENTS_MAX),
    unread: z.array(networkId).max(EVENTS_MAX).default([]).meta({
      description: 'Ids of announced events that could not be read: their known state remains',
    }),
  }),
  example: { seenAt: '2026-01-31T18:00:00Z', events: [example], unread: [32] },
});

export const eventStored = messageType({
  key: 'event.stored',
  exchange: 'facts',
  summary: 'Events that are new or have changed, as in responses, and the ids of withdrawn events.',
  producer: 'catalog-api',
  consumers: ['user-api'],
  data: z.strictObject({ events: z.array(publicEvent), withdrawn: z.array(networkId) }),
  example: {
    events: [
      {
        ...example,
        start_date_utc: '2026-02-07',
        start_datetime_utc: '19:00',
        end_date_utc: '2026-02-07',
        end_datetime_utc: '21:30',
        starts_at: '2026-02-07 19:00:00',
        ends_at: '2026-02-07 21:30:00',
      },
    ],
    withdrawn: [],
  },
  tags: () => [tags.events],
});

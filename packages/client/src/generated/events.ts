// Made by `npm run docs:generate` from packages/contracts: change it there.
import type { Event } from './models.ts';

/** Of each operation of the chapter "Events" what it takes and gives. */
export interface EventsOperations {
  /** Events that are not yet over, or over for less than 30 days, by start. */
  listEvents: {
    input: {
      readonly from?: string | undefined;
      readonly to?: string | undefined;
      /** Only of this title; empty is no filter */
      readonly titleId?: string | undefined;
      readonly limit?: number | undefined;
    };
    answer: readonly Event[];
  };
  /** The events as an iCalendar feed. */
  getEventsCalendar: {
    input: object;
    answer: string;
  };
  /** One event. */
  getEvent: {
    input: {
      readonly eventId: number;
    };
    answer: {
      readonly id: number;
      readonly title: string;
      readonly game_name: string;
      /** Title ID, 8 hexadecimal digits */
      readonly title_id: string | null;
      readonly game_image: string;
      readonly banner_url: string;
      readonly description: string;
      /** A UTC day */
      readonly event_date: string;
      readonly start_time: string;
      readonly end_time: string | null;
      /** IANA time zone */
      readonly event_timezone: string;
      readonly item_kind: 'event' | 'tournament';
      readonly tournament_status: string | null;
      readonly signup_count: number;
      readonly has_prize: boolean;
      readonly prize_amount: string | null;
      readonly is_paid_event: boolean;
      readonly entry_fee_sats: number | null;
      readonly reward_total_sats: number | null;
      readonly pot_verified_balance_sats: number | null;
      readonly sponsor_name: string | null;
      /** An instant, UTC */
      readonly registration_opens_at: string | null;
      /** An instant, UTC */
      readonly registration_closes_at: string | null;
      /** A UTC day */
      readonly start_date_utc: string;
      readonly start_datetime_utc: string;
      /** A UTC day */
      readonly end_date_utc: string | null;
      readonly end_datetime_utc: string | null;
      /** An instant, UTC */
      readonly starts_at: string;
      /** An instant, UTC */
      readonly ends_at: string | null;
    };
  };
  /** The paid ones of the events. */
  listPaidEvents: {
    input: {
      readonly from?: string | undefined;
      readonly to?: string | undefined;
      /** Only of this title; empty is no filter */
      readonly titleId?: string | undefined;
      readonly limit?: number | undefined;
    };
    answer: readonly Event[];
  };
  /** Counts and sums over the paid events. */
  getPaidEventsSummary: {
    input: object;
    answer: {
      readonly total: number;
      readonly upcoming: number;
      readonly active: number;
      readonly completed: number;
      readonly totalSignups: number;
      /** Sum of entry_fee_sats × signup_count */
      readonly totalEntryFeeSats: number;
      readonly totalRewardSats: number;
      readonly verifiedPotSats: number;
      readonly nextEvent: Event | null;
    };
  };
}

/** Where they are. */
export const eventsRoutes = {
  listEvents: { method: 'GET', path: '/api/events', query: ['from', 'to', 'titleId', 'limit'] },
  getEventsCalendar: { method: 'GET', path: '/api/events.ics', isText: true },
  getEvent: { method: 'GET', path: '/api/events/:eventId' },
  listPaidEvents: { method: 'GET', path: '/api/paid-events', query: ['from', 'to', 'titleId', 'limit'] },
  getPaidEventsSummary: { method: 'GET', path: '/api/paid-events/summary' },
} as const;

import {
  formatDate,
  formatTimestamp,
  type EpochSeconds,
  type EventStatus,
  type PublicEvent,
  type OperationResponse,
  type operations,
} from '@lobbystats/contracts';
import type { EventList, StoredEvent } from './events.queries.ts';
import { isListed, statusOf } from './event-times.ts';

export interface EventFilter {
  readonly from?: EpochSeconds | undefined;
  readonly to?: EpochSeconds | undefined;
  readonly titleId?: string | undefined;
  readonly status?: EventStatus | undefined;
  readonly paidOnly?: boolean;
}

export class EventView {
  readonly revision: number;
  readonly changedAt: EpochSeconds | undefined;
  readonly #events: readonly StoredEvent[];

  constructor({ revision, changedAt, events }: Omit<EventList, 'seenAt'>) {
    this.revision = revision;
    this.changedAt = changedAt === 0 ? undefined : changedAt;
    this.#events = events.toSorted((a, b) => a.startsAt - b.startsAt || a.event.id - b.event.id);
  }

  list(now: EpochSeconds, { from = -Infinity, to = Infinity, titleId, status, paidOnly = false }: EventFilter = {}) {
    return this.#events.filter(
      (stored) =>
        isListed(stored, now) &&
        stored.startsAt >= from &&
        stored.startsAt < to &&
        (titleId === undefined || stored.event.title_id === titleId) &&
        (status === undefined || statusOf(stored, now) === status) &&
        (!paidOnly || stored.event.is_paid_event),
    );
  }
}

export function toPublicEvent({ event, startsAt, endsAt }: StoredEvent): PublicEvent {
  return {
    ...event,
    start_date_utc: formatDate(startsAt),
    start_datetime_utc: timeOfDay(startsAt),
    end_date_utc: endsAt === null ? null : formatDate(endsAt),
    end_datetime_utc: endsAt === null ? null : timeOfDay(endsAt),
    starts_at: formatTimestamp(startsAt),
    ends_at: endsAt === null ? null : formatTimestamp(endsAt),
  };
}

function timeOfDay(instant: EpochSeconds): string {
  return formatTimestamp(instant).slice(11, 16);
}

export function summarizeEvents(
  events: readonly StoredEvent[],
  now: EpochSeconds,
): OperationResponse<typeof operations.getPaidEventsSummary> {
  const statuses = events.map((event) => statusOf(event, now));
  const next = events.find(({ startsAt }) => now < startsAt);
  const count = (status: EventStatus) => statuses.filter((one) => one === status).length;
  const sum = (amount: (event: StoredEvent['event']) => number) => safeSum(events.map(({ event }) => amount(event)));
  return {
    total: events.length,
    upcoming: count('upcoming'),
    active: count('running'),
    completed: count('past'),
    totalSignups: sum((event) => event.signup_count),
    totalEntryFeeSats: sum((event) => (event.entry_fee_sats ?? 0) * event.signup_count),
    totalRewardSats: sum((event) => event.reward_total_sats ?? 0),
    verifiedPotSats: sum((event) => event.pot_verified_balance_sats ?? 0),
    nextEvent: next === undefined ? null : toPublicEvent(next),
  };
}

/** Caps sums at the largest safe integer. */
function safeSum(amounts: readonly number[]): number {
  return Math.min(
    amounts.reduce((total, amount) => total + amount, 0),
    Number.MAX_SAFE_INTEGER,
  );
}

import {
  eventStored,
  type AnnouncedEvent,
  type EpochSeconds,
  type Fact,
  type FactMetadata,
} from '@lobbystats/contracts';
import type { EventList, StoredEvent, TimedEvent } from './events.queries.ts';
import { isListed, effectiveEnd, withTimes, type Zones } from './event-times.ts';
import { CALENDAR_FIELDS } from './event-calendar.ts';
import { splitBySize } from '../commits/commits.ts';
import { toPublicEvent } from './event-view.ts';

export interface Announcement {
  readonly seenAt: EpochSeconds;
  readonly events: readonly AnnouncedEvent[];
  readonly unread?: readonly number[];
}

export interface EventsChange {
  readonly put: readonly StoredEvent[];
  /** Over for so long that no list shows them. */
  readonly archived: readonly StoredEvent[];
  /** Withdrawn by the network before their end. */
  readonly removed: readonly number[];
  /** Removed, or moved to the distant past. */
  readonly withdrawn: readonly number[];
  /** Skipped: unknown zone or impossible times. */
  readonly skipped: number;
}

export function applyAnnouncement(list: EventList, announcement: Announcement, zones: Zones): EventsChange {
  const { seenAt, events, unread = [] } = announcement;
  const announced = new Map(events.map((event) => [event.id, withTimes(event, zones)]));
  const storedById = new Map(list.events.map((stored) => [stored.event.id, stored]));
  const put: StoredEvent[] = [];
  for (const timed of announced.values()) {
    if (timed === undefined || !isListed(timed, seenAt)) continue;
    const before = storedById.get(timed.event.id);
    if (!isSame(before, timed)) put.push(changedEvent(before, timed, seenAt));
  }
  const stands = new Set([...announced.keys(), ...unread]);
  const archived: StoredEvent[] = [];
  const removed: number[] = [];
  const withdrawn: number[] = [];
  for (const [id, stored] of storedById) {
    const latest = announced.get(id) ?? stored;
    if (!isListed(latest, seenAt)) {
      archived.push(isSame(stored, latest) ? stored : changedEvent(stored, latest, seenAt));
      if (isListed(stored, seenAt)) withdrawn.push(id);
    } else if (!stands.has(id) && seenAt < effectiveEnd(stored)) {
      removed.push(id);
      withdrawn.push(id);
    }
  }
  const skipped = [...announced.values()].filter((timed) => timed === undefined).length;
  return {
    put: put.sort((a, b) => a.event.id - b.event.id),
    archived,
    removed,
    withdrawn,
    skipped,
  };
}

function changedEvent(before: StoredEvent | undefined, { event, startsAt, endsAt }: TimedEvent, at: EpochSeconds) {
  const after = { event, startsAt, endsAt };
  const isRevised = before === undefined || !isSame(before, after, CALENDAR_FIELDS);
  return { ...after, changedAt: at, revisedAt: isRevised ? at : before.revisedAt };
}

/** Compares times too, since zone data may have changed. */
function isSame(
  before: TimedEvent | undefined,
  after: TimedEvent,
  fields = Object.keys(after.event) as readonly (keyof AnnouncedEvent)[],
): boolean {
  if (before?.startsAt !== after.startsAt || before.endsAt !== after.endsAt) return false;
  return fields.every((field) => before.event[field] === after.event[field]);
}

const EVENTS_PER_FACT = 500;

/** Each fact's time is later than the one before, so that times identify facts. */
export function eventFacts(
  put: readonly StoredEvent[],
  withdrawn: readonly number[],
  { origin, occurredAt, past }: Omit<FactMetadata, 'revision'>,
): Fact[] {
  const [first = [], ...others] = splitBySize(put.map(toPublicEvent), EVENTS_PER_FACT);
  if (first.length + withdrawn.length === 0) return [];
  const data = [{ events: first, withdrawn: [...withdrawn] }, ...others.map((events) => ({ events, withdrawn: [] }))];
  return data.map((some, index) => ({
    type: eventStored.key,
    id: `${eventStored.key}:${origin}:${occurredAt}:${index + 1}`,
    occurredAt,
    past,
    data: some,
  }));
}

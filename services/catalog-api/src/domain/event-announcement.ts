import type { AnnouncedEvent, EpochSeconds } from '@lobbystats/contracts';
import type { EventList, StoredEvent } from './event-store.ts';
import { isShown, overAt, withTimes } from './event-times.ts';
import type { Zones } from './zones.ts';

/** All that the network announced at one instant. */
export interface Announcement {
  readonly seenAt: EpochSeconds;
  readonly events: readonly AnnouncedEvent[];
  /** Ids of other events that were announced, of which no more is known. Default: none. */
  readonly unread?: readonly number[];
}

/** What an announcement does to the events that are kept. */
export interface EventsChange {
  /** Those that are new or other than before, by id: news. */
  readonly put: readonly StoredEvent[];
  /** Those that are over for so long that no list shows them any more, as they were last known. */
  readonly archived: readonly StoredEvent[];
  /** Ids of those that are no longer announced though they aren't over: the network has taken them back. */
  readonly removed: readonly number[];
  /** Ids of those that leave the lists before their time, removed or moved to a time long ago: news. */
  readonly withdrawn: readonly number[];
  /** How many of the announced ones were left out: their zone is unknown, or their times aren't of this world. */
  readonly leftOut: number;
}

/**
 * What follows from an announcement: it depends on this and on what is kept alone, not on when it comes in. One that is left
 * out or unread stays as it was known; of two with one id the last counts.
 */
export function applyAnnouncement(list: EventList, announcement: Announcement, zones: Zones): EventsChange {
  const { seenAt, events, unread = [] } = announcement;
  const announced = new Map(events.map((event) => [event.id, withTimes(event, zones)]));
  const kept = new Map(list.events.map((stored) => [stored.event.id, stored]));
  const put: StoredEvent[] = [];
  for (const timed of announced.values()) {
    if (timed === undefined || !isShown(timed, seenAt)) continue;
    if (!isSame(kept.get(timed.event.id), timed)) put.push(timed);
  }
  const stands = new Set([...announced.keys(), ...unread]);
  const archived: StoredEvent[] = [];
  const removed: number[] = [];
  const withdrawn: number[] = [];
  for (const [id, stored] of kept) {
    const latest = announced.get(id) ?? stored;
    if (!isShown(latest, seenAt)) {
      archived.push(latest);
      if (isShown(stored, seenAt)) withdrawn.push(id);
    } else if (!stands.has(id) && seenAt < overAt(stored)) {
      removed.push(id);
      withdrawn.push(id);
    }
  }
  const leftOut = [...announced.values()].filter((timed) => timed === undefined).length;
  return {
    put: put.sort((a, b) => a.event.id - b.event.id),
    archived,
    removed,
    withdrawn,
    leftOut,
  };
}

/** The times too: what is known of a zone may have changed. */
function isSame(before: StoredEvent | undefined, after: StoredEvent): boolean {
  if (before?.startsAt !== after.startsAt || before.endsAt !== after.endsAt) return false;
  return (Object.keys(after.event) as (keyof AnnouncedEvent)[]).every(
    (field) => before.event[field] === after.event[field],
  );
}

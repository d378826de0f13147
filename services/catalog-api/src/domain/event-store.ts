import type { AnnouncedEvent, EpochSeconds } from '@lobbystats/contracts';
import type { Fact } from '@lobbystats/contracts';

/** An announced event with its times in UTC. */
export interface StoredEvent {
  readonly event: AnnouncedEvent;
  readonly startsAt: EpochSeconds;
  /** Null when it names no end. */
  readonly endsAt: EpochSeconds | null;
}

/** The listed events as they were together at one revision, without those that are archived. */
export interface EventList {
  readonly revision: number;
  /** When the announcement that was last taken in was read; 0 before the first. */
  readonly seenAt: EpochSeconds;
  readonly changedAt: EpochSeconds;
  readonly events: readonly StoredEvent[];
}

export interface EventCommit {
  readonly expectedRevision: number;
  readonly seenAt: EpochSeconds;
  readonly changedAt: EpochSeconds;
  /** Listed from now on; each replaces the event of its id. */
  readonly put: readonly StoredEvent[];
  /** No longer listed but still found by id; each replaces the event of its id. */
  readonly archived: readonly StoredEvent[];
  /** Ids of those that are deleted. */
  readonly removed: readonly number[];
  readonly facts: readonly Fact[];
}

/**
 * Where the events live: a few thousand that are listed at most, and any number of archived ones. Several processes may share one store.
 *
 * Every method rejects with an AppError `unavailable` when the store can't be reached or written now.
 */
export interface EventStore {
  /** The revision now; 0 before the first commit. Cheap: it is asked for on every read. */
  eventRevision(): Promise<number>;
  /** The listed events. What it costs doesn't grow with the archive. */
  readEvents(): Promise<EventList>;
  /** A listed or archived event; undefined when there is none of that id. */
  readEvent(id: number): Promise<StoredEvent | undefined>;
  /** One transaction; the revision grows by one. False, with nothing changed, when it isn't the expected one. */
  commitEvents(change: EventCommit): Promise<boolean>;
}

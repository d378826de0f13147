import type { AnnouncedEvent, EpochSeconds } from '@lobbystats/contracts';
import type { Fact } from '@lobbystats/contracts';

export interface TimedEvent {
  readonly event: AnnouncedEvent;
  readonly startsAt: EpochSeconds;
  readonly endsAt: EpochSeconds | null;
}

export interface StoredEvent extends TimedEvent {
  readonly changedAt: EpochSeconds;
  /** Last change of what calendars show. */
  readonly revisedAt: EpochSeconds;
}

export interface EventList {
  readonly revision: number;
  readonly seenAt: EpochSeconds;
  readonly changedAt: EpochSeconds;
  readonly events: readonly StoredEvent[];
}

export interface EventCommit {
  readonly expectedRevision: number;
  readonly seenAt: EpochSeconds;
  readonly changedAt: EpochSeconds;
  readonly put: readonly StoredEvent[];
  readonly archived: readonly StoredEvent[];
  readonly removed: readonly number[];
  readonly facts: readonly Fact[];
}

/** Some thousand listed events, and any number of archived ones. Throws AppError `unavailable`. */
export interface EventStore {
  eventRevision(): Promise<number>;
  readEvents(): Promise<EventList>;
  readEvent(id: number): Promise<StoredEvent | undefined>;
  commitEvents(change: EventCommit): Promise<boolean>;
}

import {
  eventStatus,
  parseInstant,
  type EpochSeconds,
  type EventStatus,
  type PublicEvent,
} from '@lobbystats/contracts';

/** As the `status` of `listEvents` has them. Past ones: newest first. @param all by start */
export function groupByStatus(
  all: readonly PublicEvent[],
  now: EpochSeconds,
): Record<EventStatus, readonly PublicEvent[]> {
  const seconds = (timestamp: string | null) => (timestamp === null ? null : parseInstant(timestamp));
  const of = (status: EventStatus) =>
    all.filter(({ starts_at, ends_at }) => eventStatus(parseInstant(starts_at), seconds(ends_at), now) === status);
  return { running: of('running'), upcoming: of('upcoming'), past: of('past').toReversed() };
}

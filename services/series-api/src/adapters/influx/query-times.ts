import { type EpochSeconds, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';

/** The latest instant that a query may name, in the year 2255: nanoseconds have 63 bits. */
const LATEST: EpochSeconds = 9_000_000_000;

/** An instant as a query's value. */
export function instantValue(instant: EpochSeconds): string {
  return new Date(Math.min(Math.max(instant, 0), LATEST) * 1000).toISOString();
}

/** The first slot after an instant: before it lie the points of all hosts in slots up to the instant. */
export function slotAfterInstant(instant: EpochSeconds): EpochSeconds {
  return slotOf(instant) + SLOT_SECONDS;
}

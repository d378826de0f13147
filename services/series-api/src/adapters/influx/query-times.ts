import { type EpochSeconds, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';

/** Nanoseconds have 63 bits. */
const LATEST: EpochSeconds = 9_000_000_000;

export function instantValue(instant: EpochSeconds): string {
  return new Date(Math.min(Math.max(instant, 0), LATEST) * 1000).toISOString();
}

/** Points of hosts lie within the slot before it. */
export function slotAfterInstant(instant: EpochSeconds): EpochSeconds {
  return slotOf(instant) + SLOT_SECONDS;
}

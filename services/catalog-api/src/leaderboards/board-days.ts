import { DAY_SECONDS, parseInstant, type EpochSeconds } from '@lobbystats/contracts';

/** Unpacking more takes too much of the process's time. */
const VERSION_ENTRIES_MAX = 100_000;

/** How many versions of a board one request reads. */
export function versionsWithin(entryCount: number): number {
  return Math.max(1, Math.floor(VERSION_ENTRIES_MAX / Math.max(1, entryCount)));
}

/** The last second of a UTC day. */
export function endOf(day: string): EpochSeconds {
  return parseInstant(day) + DAY_SECONDS - 1;
}

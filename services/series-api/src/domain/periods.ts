import { DAY_SECONDS, type EpochSeconds, SNAPSHOT_RETENTION_SECONDS } from '@lobbystats/contracts';

const HOUR_SECONDS = 3600;

/** The instants after `after` and up to `until`: `(after, until]`. */
export interface Period {
  after: EpochSeconds;
  until: EpochSeconds;
}

/** "The last so many seconds", `(now - seconds, now]`, and never more than snapshots are kept for. */
export function lastSeconds(now: EpochSeconds, seconds: number): Period {
  return { after: now - Math.min(seconds, SNAPSHOT_RETENTION_SECONDS), until: now };
}

/** "The last so many hours", as {@link lastSeconds}. */
export function lastHours(now: EpochSeconds, hours: number): Period {
  return lastSeconds(now, hours * HOUR_SECONDS);
}

/** What is kept of snapshots. */
export function retained(now: EpochSeconds): Period {
  return lastSeconds(now, SNAPSHOT_RETENTION_SECONDS);
}

/** The beginning of the UTC day that an instant lies in. */
export function dayOf(instant: EpochSeconds): EpochSeconds {
  return Math.floor(instant / DAY_SECONDS) * DAY_SECONDS;
}

/** The beginnings of the last so many UTC days, today's included, as a period: `days` of them lie in it. */
export function lastDays(now: EpochSeconds, days: number): Period {
  const today = dayOf(now);
  return { after: today - days * DAY_SECONDS, until: today };
}

import { DAY_SECONDS, HOUR_SECONDS, type EpochSeconds, SNAPSHOT_RETENTION_SECONDS } from '@lobbystats/contracts';

export interface Period {
  after: EpochSeconds;
  until: EpochSeconds;
}

/** Slots, both inclusive. */
export interface SlotRange {
  from: EpochSeconds;
  to: EpochSeconds;
}

export function lastSeconds(now: EpochSeconds, seconds: number): Period {
  return { after: now - Math.min(seconds, SNAPSHOT_RETENTION_SECONDS), until: now };
}

export function lastHours(now: EpochSeconds, hours: number): Period {
  return lastSeconds(now, hours * HOUR_SECONDS);
}

export function retained(now: EpochSeconds): Period {
  return lastSeconds(now, SNAPSHOT_RETENTION_SECONDS);
}

export function dayOf(instant: EpochSeconds): EpochSeconds {
  return Math.floor(instant / DAY_SECONDS) * DAY_SECONDS;
}

export function lastDays(now: EpochSeconds, days: number): Period {
  const today = dayOf(now);
  return { after: today - days * DAY_SECONDS, until: today };
}

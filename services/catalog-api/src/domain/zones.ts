import type { EpochSeconds } from '@lobbystats/contracts';

export interface Zones {
  /**
   * The instant at which a zone's clock shows this date and time, by RFC 5545 section 3.3.5: the first of an ambiguous
   * time; for a skipped one, as if the clock had not been put forward. Undefined for an unknown zone.
   *
   * @param date `YYYY-MM-DD`, a day that exists
   * @param time `HH:MM`
   * @param zone IANA name
   * @returns undefined when nobody knows the zone
   */
  instantOf(date: string, time: string, zone: string): EpochSeconds | undefined;
}

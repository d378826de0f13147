import type { EpochSeconds } from '@lobbystats/contracts';

/** Time zones, with all that they have ever done. */
export interface Zones {
  /**
   * When a clock in a zone shows a day and a time of day, as RFC 5545 section 3.3.5 has it: of a time that comes twice, the
   * first; for one that is skipped, as if the clock had not been put forward, so that it shows a later time.
   *
   * @param date `YYYY-MM-DD`, a day that exists
   * @param time `HH:MM`
   * @param zone IANA name
   * @returns undefined when nobody knows the zone
   */
  instantOf(date: string, time: string, zone: string): EpochSeconds | undefined;
}

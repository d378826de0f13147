import type { EpochSeconds } from '@lobbystats/contracts';

export interface Zones {
  /**
   * Follows RFC 5545 section 3.3.5: the first of an ambiguous time; a skipped one as if the clock had not moved on.
   * Takes `YYYY-MM-DD`, `HH:MM` and an IANA name; undefined for an unknown zone.
   */
  instantOf(date: string, time: string, zone: string): EpochSeconds | undefined;
}

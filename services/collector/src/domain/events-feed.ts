import type { EventsReading } from './readings.ts';

/** Rejects with a PageFailure when the feed could not be read. */
export interface EventsFeed {
  /**
   * Calls `say` with the reading and its digest if it is new. Remembers it once `say` has resolved.
   *
   * @param deadlineMs epoch milliseconds; later it is of no use
   * @param say tells what was read, with its digest; not called when it was told before. What `say` has resolved for is remembered.
   */
  news(deadlineMs: number, say: (reading: EventsReading, digest: string) => Promise<void>): Promise<void>;
  isKnown(): Promise<boolean>;
}

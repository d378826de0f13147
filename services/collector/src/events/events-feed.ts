import type { EventsReading } from '../network/readings.ts';

/** Rejects with a PageFailure when the feed could not be read. */
export interface EventsFeed {
  /**
   * Calls `say` with the reading and its digest if it changed, and stores the digest once `say` has resolved.
   *
   * @param deadlineMs epoch milliseconds
   */
  poll(deadlineMs: number, say: (reading: EventsReading, digest: string) => Promise<void>): Promise<void>;
  isKnown(): Promise<boolean>;
}

import type { EventsReading } from './readings.ts';

/**
 * The network's feed of events, read politely.
 *
 * Rejects with a PageFailure when it could not be had.
 */
export interface EventsFeed {
  /**
   * @param deadlineMs epoch milliseconds; later it is of no use
   * @param say tells what was read, with its digest; not called when it was told before. What `say` has resolved for is remembered.
   */
  news(deadlineMs: number, say: (reading: EventsReading, digest: string) => Promise<void>): Promise<void>;
  /** Whether it was ever read. */
  isKnown(): Promise<boolean>;
}

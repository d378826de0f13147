import type { ObservedPlayer } from '@lobbystats/contracts';

export interface PlayersReading {
  readonly players: readonly ObservedPlayer[];
  readonly skipped: number;
  readonly next: string;
}

/** Rejects with a PageFailure. */
export interface PlayersFeed {
  /**
   * Reads players since the last poll of any replica. The cursor moves once `say` has resolved.
   *
   * @param deadlineMs epoch milliseconds
   */
  poll(deadlineMs: number, say: (reading: PlayersReading) => Promise<void>): Promise<void>;
}

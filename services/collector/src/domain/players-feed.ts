import type { SeenPlayer } from '@lobbystats/contracts';

/** What was read off the feed. */
export interface PlayersReading {
  readonly players: readonly SeenPlayer[];
  /** Elements that can't be read. */
  readonly skipped: number;
  /** From when on the next look asks, as the network writes it. */
  readonly next: string;
}

/**
 * The network's feed of players.
 *
 * Rejects with a PageFailure when it could not be had.
 */
export interface PlayersFeed {
  /**
   * Asks who is or was online since the last look that anybody took.
   *
   * @param deadlineMs epoch milliseconds; later it is of no use
   * @param say tells what was read; the next look begins behind it once `say` has resolved
   */
  look(deadlineMs: number, say: (reading: PlayersReading) => Promise<void>): Promise<void>;
}

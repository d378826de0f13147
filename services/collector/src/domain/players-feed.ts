import type { SeenPlayer } from '@lobbystats/contracts';

export interface PlayersReading {
  readonly players: readonly SeenPlayer[];
  readonly skipped: number;
  readonly next: string;
}

/** Rejects with a PageFailure. */
export interface PlayersFeed {
  /**
   * Reads players since the last poll of any replica. The cursor moves once `say` has resolved.
   *
   * @param deadlineMs epoch milliseconds; later it is of no use
   * @param say tells what was read; the next look begins behind it once `say` has resolved
   */
  look(deadlineMs: number, say: (reading: PlayersReading) => Promise<void>): Promise<void>;
}

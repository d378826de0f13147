import type { EpochSeconds } from '@lobbystats/contracts';
import type { GamePageReading, HomepageReading } from './readings.ts';

/** For which slot a page is wanted, and until when. */
export interface Wanted {
  slot: EpochSeconds;
  /** Epoch milliseconds; later it is of no use. */
  deadlineMs: number;
}

/**
 * The network's pages, read politely: bounded in pace, one request a page at a time, left alone when it asks for that.
 * A reading is of the slot that it is wanted for.
 *
 * All reject with a PageFailure when the page could not be had.
 */
export interface Network {
  homepage(wanted: Wanted): Promise<HomepageReading>;
  /** @param wanted `matches`: a page that doesn't say which matches are open is not understood */
  gamePage(titleId: string, wanted: Wanted & { matches: boolean }): Promise<GamePageReading>;
}

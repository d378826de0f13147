import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardContent, BoardKey } from './board.ts';

/** A board as it was from a past pass on; without content from when the network no longer had it. */
export interface PastBoard extends BoardKey {
  pass: EpochSeconds;
  name: string;
  board: BoardContent | null;
}

/** A part of the boards' past. */
export interface BoardHistoryPart {
  /** By pass, ascending. */
  boards: PastBoard[];
  /** Where the next part begins; null behind the last one. */
  next: string | null;
}

/** What a network tells of its boards' past: each board once, then those that changed in a pass. */
export interface BoardHistory {
  /**
   * @param cursor where an earlier part said that the next begins; null for the first
   * @returns undefined when the network tells nothing of its boards' past. Rejects when it can't be had, or says something
   *   that can't be understood.
   */
  part(
    fromInclusive: EpochSeconds,
    toExclusive: EpochSeconds,
    cursor: string | null,
  ): Promise<BoardHistoryPart | undefined>;
}

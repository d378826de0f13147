import type { EpochSeconds, PastPlayer } from '@lobbystats/contracts';

/** A part of the players' past. */
interface PlayerHistoryPart {
  readonly players: readonly PastPlayer[];
  /** Where the next part begins; null behind the last one. */
  readonly next: string | null;
}

/** What a network tells of who was online in what. */
export interface PlayerHistory {
  /**
   * @param cursor where an earlier part said that the next begins; null for the first
   * @returns undefined when the network tells nothing of its players' past. Rejects when it can't be had, or says something
   *   that can't be understood.
   */
  part(
    fromInclusive: EpochSeconds,
    toExclusive: EpochSeconds,
    cursor: string | null,
  ): Promise<PlayerHistoryPart | undefined>;
}

import type { EpochSeconds, ObservedEntry } from '@lobbystats/contracts';

/** A row of a board. */
export type Entry = ObservedEntry;

/** Which board. */
export interface BoardKey {
  readonly titleId: string;
  readonly leaderboardId: number;
}

/** A text that is the same for the same board alone. MongoDB's keys are made of it: it stays as it is. */
export function boardId({ titleId, leaderboardId }: BoardKey): string {
  return `${titleId} ${leaderboardId}`;
}

/** What a board says, in the network's order. */
export interface BoardContent {
  readonly name: string;
  readonly isTime: boolean;
  readonly entries: readonly Entry[];
}

/** What is known of a board beside its entries. */
export interface BoardState extends BoardKey {
  readonly name: string;
  readonly isTime: boolean;
  readonly entryCount: number;
  /**
   * Whether the network no longer has it: it is shown nowhere, and what it was is kept for when it comes back. Its name and
   * kind are those that it had.
   */
  readonly gone: boolean;
  /** 1 at its first sight; grows with each commit that changes it. */
  readonly version: number;
  /** The pass of the observation that was last taken in: one of the same pass or an earlier one changes nothing. */
  readonly pass: EpochSeconds;
  readonly changedAt: EpochSeconds;
  /** The latest reading from the network that found it as it is here. Of a store that never kept it: `changedAt`. */
  readonly observedAt: EpochSeconds;
}

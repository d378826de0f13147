import type { EpochSeconds, ObservedEntry } from '@lobbystats/contracts';

/** What the network knows a board by. */
export interface BoardKey {
  titleId: string;
  leaderboardId: number;
}

/** A board's key in one word. */
export function boardIdOf({ titleId, leaderboardId }: BoardKey): string {
  return `${titleId} ${leaderboardId}`;
}

/** A board as its title's page lists it. */
export interface ListedBoard {
  id: number;
  name: string;
}

/** What a board says, whole. */
export interface BoardContent {
  isTime: boolean;
  entries: ObservedEntry[];
}

/** A board that a worker shall read in a pass. */
export interface BoardJob extends BoardKey {
  pass: EpochSeconds;
  name: string;
}

/** A reading that found a board unchanged. */
export interface BoardConfirmation extends BoardKey {
  /** The pass of the observation that still holds. */
  pass: EpochSeconds;
  /** When it was read. */
  seenAt: EpochSeconds;
}

/** A board as it was in a pass; without content when the network no longer has it. */
export interface BoardObservation extends BoardJob {
  seenAt: EpochSeconds;
  board: BoardContent | null;
}

import type { EpochSeconds, ObservedEntry } from '@lobbystats/contracts';

export interface BoardKey {
  titleId: string;
  leaderboardId: number;
}

export function boardIdOf({ titleId, leaderboardId }: BoardKey): string {
  return `${titleId} ${leaderboardId}`;
}

export interface ListedBoard {
  id: number;
  name: string;
}

export interface BoardContent {
  isTime: boolean;
  entries: ObservedEntry[];
}

export interface BoardJob extends BoardKey {
  pass: EpochSeconds;
  name: string;
}

/** A reading that found a board unchanged. */
export interface BoardConfirmation extends BoardKey {
  pass: EpochSeconds;
  seenAt: EpochSeconds;
}

export interface BoardObservation extends BoardJob {
  seenAt: EpochSeconds;
  board: BoardContent | null;
}

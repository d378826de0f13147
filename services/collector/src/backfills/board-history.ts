import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardContent, BoardKey } from '../leaderboards/board.ts';

export interface PastBoard extends BoardKey {
  pass: EpochSeconds;
  name: string;
  board: BoardContent | null;
}

export interface BoardHistoryPart {
  boards: PastBoard[];
  next: string | null;
}

export interface BoardHistory {
  part(
    fromInclusive: EpochSeconds,
    toExclusive: EpochSeconds,
    cursor: string | null,
  ): Promise<BoardHistoryPart | undefined>;
}

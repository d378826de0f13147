import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardKey } from './board.ts';
import type { Lease } from './lease.ts';

export interface BoardFillRange {
  fromPass: EpochSeconds;
  toPass: EpochSeconds;
}

export interface BoardFillState extends BoardFillRange {
  cursor: string | null;
  reached: EpochSeconds;
  isDone: boolean;
}

export interface PastMemo extends BoardKey {
  name: string;
  pass: EpochSeconds;
  digest: string | null;
}

export interface BoardFillStep {
  next: string | null;
  reached: EpochSeconds;
  said: readonly PastMemo[];
}

export interface BoardFillStore {
  begin(range: BoardFillRange): Promise<BoardFillState>;
  take(lease: Lease): Promise<boolean>;
  release(holder: string): Promise<void>;
  state(): Promise<BoardFillState | undefined>;
  /**
   * Stores a step that began at `cursor`, with what was published, for the board memory. A board not seen yet counts as
   * listed. No effect when the backfill is at another cursor.
   */
  advance(cursor: string | null, step: BoardFillStep): Promise<void>;
}

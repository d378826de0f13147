import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardKey } from '../leaderboards/board.ts';
import type { Lease } from '../leases/lease.ts';

export interface BoardBackfillRange {
  fromPass: EpochSeconds;
  toPass: EpochSeconds;
}

export interface BoardBackfillState extends BoardBackfillRange {
  cursor: string | null;
  reached: EpochSeconds;
  isDone: boolean;
}

export interface BackfilledBoard extends BoardKey {
  name: string;
  pass: EpochSeconds;
  digest: string | null;
}

export interface BoardBackfillStep {
  next: string | null;
  reached: EpochSeconds;
  published: readonly BackfilledBoard[];
}

export interface BoardBackfillStore {
  begin(range: BoardBackfillRange): Promise<BoardBackfillState>;
  take(lease: Lease): Promise<boolean>;
  release(holder: string): Promise<void>;
  state(): Promise<BoardBackfillState | undefined>;
  /**
   * Stores a step that began at `cursor`, with what was published, for the board memory. A board not seen yet counts as
   * listed. No effect when the backfill is at another cursor.
   */
  advance(cursor: string | null, step: BoardBackfillStep): Promise<void>;
}

import type { EpochSeconds } from '@lobbystats/contracts';
import type { Lease } from '../leases/lease.ts';

export interface PlayerBackfillRange {
  readonly from: EpochSeconds;
  readonly to: EpochSeconds;
}

export interface PlayerBackfillState extends PlayerBackfillRange {
  readonly cursor: string | null;
  readonly isDone: boolean;
}

export interface PlayerBackfillStore {
  begin(range: PlayerBackfillRange): Promise<PlayerBackfillState>;
  take(lease: Lease): Promise<boolean>;
  release(holder: string): Promise<void>;
  state(): Promise<PlayerBackfillState | undefined>;
  /** Moves from `cursor` to `next`; null: finished. No effect when the backfill is at another cursor. */
  advance(cursor: string | null, next: string | null): Promise<void>;
}

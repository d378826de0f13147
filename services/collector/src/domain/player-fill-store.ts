import type { EpochSeconds } from '@lobbystats/contracts';
import type { Lease } from './lease.ts';

export interface PlayerFillRange {
  readonly from: EpochSeconds;
  readonly to: EpochSeconds;
}

export interface PlayerFillState extends PlayerFillRange {
  readonly cursor: string | null;
  readonly isDone: boolean;
}

export interface PlayerFillStore {
  begin(range: PlayerFillRange): Promise<PlayerFillState>;
  take(lease: Lease): Promise<boolean>;
  release(holder: string): Promise<void>;
  state(): Promise<PlayerFillState | undefined>;
  /** Moves from `cursor` to `next`; null: finished. No effect when the backfill is at another cursor. */
  advance(cursor: string | null, next: string | null): Promise<void>;
}

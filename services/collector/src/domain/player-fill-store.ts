import type { EpochSeconds } from '@lobbystats/contracts';
import type { Lease } from './lease.ts';

/** Which past of the players a first start brings in. It is fixed once. */
export interface PlayerFillRange {
  readonly from: EpochSeconds;
  /** Exclusive: the first slot that is read live. */
  readonly to: EpochSeconds;
}

/** The range, and how far it is done. */
export interface PlayerFillState extends PlayerFillRange {
  /** Where the history goes on; null at its beginning. */
  readonly cursor: string | null;
  readonly isDone: boolean;
}

/** The durable progress of the players' past; one replica works on it at a time. */
export interface PlayerFillStore {
  /** Fixes the range if none is fixed; what stands. */
  begin(range: PlayerFillRange): Promise<PlayerFillState>;
  /** Takes the lease if it is free, over, or the holder's own. Whether it did. */
  take(lease: Lease): Promise<boolean>;
  /** Gives the lease back; somebody else's stays. */
  release(holder: string): Promise<void>;
  /** What stands; undefined before `begin`. */
  state(): Promise<PlayerFillState | undefined>;
  /** Goes on from `cursor` to `next`; null: the history is told to its end. Changes nothing when the fill is elsewhere. */
  advance(cursor: string | null, next: string | null): Promise<void>;
}

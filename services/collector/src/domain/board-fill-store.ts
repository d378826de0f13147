import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardKey } from './board.ts';
import type { Lease } from './lease.ts';

/** Which past passes a first start brings in. It is fixed once. */
export interface BoardFillRange {
  fromPass: EpochSeconds;
  /** Exclusive: the first pass that is read live. */
  toPass: EpochSeconds;
}

/** The range, and how far it is done. */
export interface BoardFillState extends BoardFillRange {
  /** Where the history goes on; null at its beginning. */
  cursor: string | null;
  /** The latest pass that something was said of; `fromPass` before. */
  reached: EpochSeconds;
  isDone: boolean;
}

/** A board as the past last had it. */
export interface PastMemo extends BoardKey {
  name: string;
  pass: EpochSeconds;
  /** Null for one that was gone. */
  digest: string | null;
}

/** A step of the fill. */
export interface BoardFillStep {
  /** Where the history goes on; null when it is told to its end. */
  next: string | null;
  reached: EpochSeconds;
  /** What was said in this step: the last of each board. */
  said: readonly PastMemo[];
}

/** The durable progress of the boards' past; one replica works on it at a time. */
export interface BoardFillStore {
  /** Fixes the range if none is fixed; what stands. */
  begin(range: BoardFillRange): Promise<BoardFillState>;
  /** Takes the lease if it is free, over, or the holder's own. Whether it did. */
  take(lease: Lease): Promise<boolean>;
  /** Gives the lease back; somebody else's stays. */
  release(holder: string): Promise<void>;
  /** What stands; undefined before `begin`. */
  state(): Promise<BoardFillState | undefined>;
  /**
   * Keeps a step that began at `cursor`, and what was said in it for the boards' memory: a board that nobody has read of yet
   * counts as listed, until its title's page says otherwise. Changes nothing when the fill is elsewhere.
   */
  advance(cursor: string | null, step: BoardFillStep): Promise<void>;
}

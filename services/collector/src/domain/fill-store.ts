import type { EpochSeconds } from '@lobbystats/contracts';
import type { Lease } from './lease.ts';

/** Which past a first start fills. It is fixed once: slots that are missed later stay missing. */
export interface FillRange {
  /** The first and, exclusive, the end of the slots. */
  fromSlot: EpochSeconds;
  toSlot: EpochSeconds;
  /** The first day and, exclusive, the end of the days whose registered users are wanted. */
  fromDay: EpochSeconds;
  toDay: EpochSeconds;
}

/** The range, and how far it is done. */
export interface FillState extends FillRange {
  /** Slots from here on are done: it goes from `toSlot` down to `fromSlot`. */
  doneFrom: EpochSeconds;
  daysDone: boolean;
}

/** The fill's durable progress; one replica works on it at a time. */
export interface FillStore {
  /** Fixes the range if none is fixed; what stands, and how far it is done. */
  begin(range: FillRange): Promise<FillState>;
  /** Takes the lease if it is free, over, or the holder's own. Whether it did. */
  take(lease: Lease): Promise<boolean>;
  /** Gives the lease back; somebody else's stays. */
  release(holder: string): Promise<void>;
  /** What stands; undefined before `begin`. */
  state(): Promise<FillState | undefined>;
  daysDone(): Promise<void>;
  /** Slots from here on are done. Progress never goes back. */
  doneFrom(slot: EpochSeconds): Promise<void>;
}

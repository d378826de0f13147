import type { EpochSeconds } from '@lobbystats/contracts';
import type { Lease } from './lease.ts';

/** Fixed once: slots that are missed later stay missing. */
export interface FillRange {
  fromSlot: EpochSeconds;
  toSlot: EpochSeconds;
  fromDay: EpochSeconds;
  toDay: EpochSeconds;
}

export interface FillState extends FillRange {
  doneFrom: EpochSeconds;
  daysDone: boolean;
}

export interface FillStore {
  begin(range: FillRange): Promise<FillState>;
  take(lease: Lease): Promise<boolean>;
  release(holder: string): Promise<void>;
  state(): Promise<FillState | undefined>;
  daysDone(): Promise<void>;
  doneFrom(slot: EpochSeconds): Promise<void>;
}

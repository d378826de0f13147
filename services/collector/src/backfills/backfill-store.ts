import type { EpochSeconds } from '@lobbystats/contracts';
import type { Lease } from '../leases/lease.ts';

/** Fixed once: slots that are missed later stay missing. */
export interface BackfillRange {
  fromSlot: EpochSeconds;
  toSlot: EpochSeconds;
  fromDay: EpochSeconds;
  toDay: EpochSeconds;
}

export interface BackfillState extends BackfillRange {
  doneFrom: EpochSeconds;
  daysDone: boolean;
}

export interface BackfillStore {
  begin(range: BackfillRange): Promise<BackfillState>;
  take(lease: Lease): Promise<boolean>;
  release(holder: string): Promise<void>;
  state(): Promise<BackfillState | undefined>;
  markDaysDone(): Promise<void>;
  setDoneFrom(slot: EpochSeconds): Promise<void>;
}

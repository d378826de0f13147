import type { EpochSeconds } from '@lobbystats/contracts';
import type { RegisteredDay } from '../messages/observation-publisher.ts';
import type { SlotObservation } from '../slots/slot-observation.ts';

export interface SnapshotHistory {
  slots(fromInclusive: EpochSeconds, toExclusive: EpochSeconds): AsyncIterable<SlotObservation>;
  days(fromInclusive: EpochSeconds, toExclusive: EpochSeconds): AsyncIterable<RegisteredDay>;
}

import type { EpochSeconds } from '@lobbystats/contracts';
import type { RegisteredDay } from './outlet.ts';
import type { SlotObservation } from './slot-observation.ts';

export interface History {
  slots(fromInclusive: EpochSeconds, toExclusive: EpochSeconds): AsyncIterable<SlotObservation>;
  days(fromInclusive: EpochSeconds, toExclusive: EpochSeconds): AsyncIterable<RegisteredDay>;
}

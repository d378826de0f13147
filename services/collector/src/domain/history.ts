import type { EpochSeconds } from '@lobbystats/contracts';
import type { RegisteredDay } from './outlet.ts';
import type { SlotObservation } from './slot-observation.ts';

/**
 * What a network tells of its own past. Both give what there is, ascending, a part at a time; they reject when the
 * network can't be had, or says something that can't be understood.
 */
export interface History {
  slots(fromInclusive: EpochSeconds, toExclusive: EpochSeconds): AsyncIterable<SlotObservation>;
  /** Registered users at the end of each UTC day that begins in the interval. */
  days(fromInclusive: EpochSeconds, toExclusive: EpochSeconds): AsyncIterable<RegisteredDay>;
}

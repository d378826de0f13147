import type { EpochSeconds, ObservedMatch } from '@lobbystats/contracts';
import type { SlotContent, SlotHome, SlotObservation } from '../network/slot-observation.ts';

/** `finished`: frozen, publication not confirmed. `published`, `missed`: final. */
export type SlotState = 'open' | 'finished' | 'published' | 'missed';

export interface UnsettledSlot {
  slot: EpochSeconds;
  state: 'open' | 'finished';
  deadlineMs: number;
}

/**
 * Kept for the next leader. Every method is atomic and idempotent; a late step has no effect. Throws AppError
 * `unavailable` without the store.
 */
export interface SlotStore {
  /** Opens a new slot. False when it exists or existed. */
  open(slot: EpochSeconds, deadlineMs: number): Promise<boolean>;
  /** Stores the first homepage reading and the awaited titles. False when there is one, or the slot is not open. */
  putHome(slot: EpochSeconds, home: SlotHome, awaited: readonly string[]): Promise<boolean>;
  awaitedTitles(slot: EpochSeconds): Promise<string[]>;
  /** Deadline of an open slot that awaits this title, in epoch milliseconds; else undefined. */
  titleDeadlineMs(slot: EpochSeconds, titleId: string): Promise<number | undefined>;
  /**
   * Stores a title's first matches. `last`: no title is awaited any more; the last ones, stored at once, may all get it.
   * Undefined when the title isn't awaited.
   */
  putMatches(
    slot: EpochSeconds,
    titleId: string,
    matches: readonly ObservedMatch[],
  ): Promise<'more' | 'last' | undefined>;
  /** The readings of an open slot with a homepage; else undefined. */
  content(slot: EpochSeconds): Promise<SlotContent | undefined>;
  finish(slot: EpochSeconds, observation: SlotObservation): Promise<boolean>;
  finishedObservation(slot: EpochSeconds): Promise<SlotObservation | undefined>;
  markPublished(slot: EpochSeconds): Promise<void>;
  markMissed(slot: EpochSeconds): Promise<boolean>;
  state(slot: EpochSeconds): Promise<SlotState | undefined>;
  unsettled(): Promise<UnsettledSlot[]>;
  latestFinished(): Promise<EpochSeconds | undefined>;
  deleteBefore(beforeExclusive: EpochSeconds): Promise<void>;
}

import type { EpochSeconds, ObservedMatch } from '@lobbystats/contracts';
import type { Lease } from './lease.ts';
import type { SlotContent, SlotHome, SlotObservation } from './slot-observation.ts';

/**
 * - `open`: being collected.
 * - `finished`: what it says is frozen, and not yet known to be published.
 * - `published`, `missed`: settled; nothing changes any more.
 */
export type SlotState = 'open' | 'finished' | 'published' | 'missed';

/** A slot that is not settled. */
export interface UnsettledSlot {
  slot: EpochSeconds;
  state: 'open' | 'finished';
  /** End of the time in which it is collected, in epoch milliseconds. */
  deadlineMs: number;
}

/**
 * Where all replicas meet over a slot. Every method is one atomic step that holds between processes; each may be
 * repeated, and a step that comes too late changes nothing. Methods reject with an AppError `unavailable` when the store
 * can't be had.
 */
export interface SlotStore {
  /** Opens a slot that was never there, with the lease taken. False for one that is or was: nothing changes. */
  open(slot: EpochSeconds, deadlineMs: number, lease: Lease): Promise<boolean>;
  /** Takes a slot's lease if it is free, over, or the holder's own already, and the slot is not settled. Whether it did. */
  take(slot: EpochSeconds, lease: Lease): Promise<boolean>;
  /**
   * Keeps what the homepage said, and that the slot waits for these titles. The first one stays: false when there is
   * one, or the slot is not open.
   */
  putHome(slot: EpochSeconds, home: SlotHome, awaited: readonly string[]): Promise<boolean>;
  /** The titles that an open slot waits for still; none for any other slot. */
  awaited(slot: EpochSeconds): Promise<string[]>;
  /** Until when (epoch milliseconds) an open slot waits for this title; undefined when it doesn't. */
  awaitedUntil(slot: EpochSeconds, titleId: string): Promise<number | undefined>;
  /**
   * Keeps a title's matches. The first ones stay: undefined when there are some, or the slot doesn't wait for the title.
   * Else how many titles it waits for still.
   */
  putMatches(slot: EpochSeconds, titleId: string, matches: readonly ObservedMatch[]): Promise<number | undefined>;
  /** An open slot as far as it was read; undefined before its homepage was, and for any other slot. */
  content(slot: EpochSeconds): Promise<SlotContent | undefined>;
  /** Freezes what an open slot says, and takes its lease for publishing it. False for any other slot. */
  finish(slot: EpochSeconds, observation: SlotObservation, lease: Lease): Promise<boolean>;
  /** What a finished slot says; undefined for any other. */
  finished(slot: EpochSeconds): Promise<SlotObservation | undefined>;
  /** Settles a finished slot. What it said need not be kept. */
  published(slot: EpochSeconds): Promise<void>;
  /** Settles an open slot whose homepage wasn't had. False for any other. */
  miss(slot: EpochSeconds): Promise<boolean>;
  /** A slot's state; undefined for one that was never opened. */
  state(slot: EpochSeconds): Promise<SlotState | undefined>;
  /** Every slot that is not settled, the oldest first. */
  unsettled(): Promise<UnsettledSlot[]>;
  /** The latest slot that is or was finished, published or not, and is still remembered. */
  latestFinished(): Promise<EpochSeconds | undefined>;
  /** Forgets settled slots that began before this. */
  forget(beforeExclusive: EpochSeconds): Promise<void>;
}

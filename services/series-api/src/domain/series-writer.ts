import type { EpochSeconds } from '@lobbystats/contracts';
import type { MatchRun, RunChanges } from './match-runs.ts';
import type { Period } from './periods.ts';
import type { SiteSnapshot, SlotSnapshot } from './snapshots.ts';

/** What is written at once: slots that aren't stored yet, and what becomes of the matches they belong to. */
export interface SlotBatch {
  slots: readonly SlotSnapshot[];
  runs: RunChanges;
}

/** Registered users at the end of a UTC day, as far as it was seen. */
export interface RegisteredCount {
  /** The day's beginning. */
  day: EpochSeconds;
  registered: number;
  seenAt: EpochSeconds;
}

/** A title's name, as routes find it; "" while it is unknown. */
export interface TitleName {
  titleId: string;
  name: string;
}

/** Until when things are gone: what is of these instants or earlier. */
interface Expiry {
  /** For snapshots, matches (by their end) and hosts. */
  snapshots: EpochSeconds;
  /** For registered counts and daily statistics: the beginning of a day. */
  dailies: EpochSeconds;
}

/** The side of the store that consumers write to, and read for it. */
export interface SeriesWriter {
  /** The site snapshots of stored slots in a period, ascending. */
  siteSnapshots(period: Period): Promise<SiteSnapshot[]>;
  /** The newest stored slot before an instant, or null. */
  slotBefore(instant: EpochSeconds): Promise<EpochSeconds | null>;
  /** The oldest stored slot after an instant, or null. */
  slotAfter(instant: EpochSeconds): Promise<EpochSeconds | null>;
  /** All runs that have begun at `to` or before and ended at `from` or later, in no order. */
  runsBetween(from: EpochSeconds, to: EpochSeconds): Promise<MatchRun[]>;
  /**
   * Stores slots that aren't stored yet. First takes the runs in `remove` away, then puts those in `put`; makes titles known;
   * keeps a slot's registered users as its day's count, as {@link putRegistered} does with `seenAt` = slot.
   */
  commit(batch: SlotBatch): Promise<void>;
  /**
   * Resolves when slots that were found stored are durable: a database may show what it has refused to write, and forget it
   * when it is restarted.
   */
  confirm(sites: readonly SiteSnapshot[]): Promise<void>;
  /**
   * Computes the daily statistics of these UTC days (their beginnings) anew from what is stored. A title's day that was
   * computed from more snapshots than are stored now stays as it is.
   */
  rollUp(days: readonly EpochSeconds[]): Promise<void>;
  /** Of two counts of a day the one seen later stays, and of two seen at once the greater. */
  putRegistered(counts: readonly RegisteredCount[]): Promise<void>;
  /** Of two names of a title the one with the higher revision stays. Makes titles known. */
  putTitleNames(revision: number, names: readonly TitleName[]): Promise<void>;
  /**
   * Removes what has expired, the oldest first: at most so many slots and what goes with them, so that one call is short.
   * Resolves to whether more is left.
   */
  purge(expiry: Expiry, slots: number): Promise<boolean>;
}

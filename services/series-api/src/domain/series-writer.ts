import type { EpochSeconds } from '@lobbystats/contracts';
import type { MatchRun, RunChanges } from './match-runs.ts';
import type { Period } from './periods.ts';
import type { SiteSnapshot, SlotSnapshot } from './snapshots.ts';

/** New slots and changed runs. */
export interface SlotBatch {
  slots: readonly SlotSnapshot[];
  runs: RunChanges;
}

export interface RegisteredCount {
  day: EpochSeconds;
  registered: number;
  seenAt: EpochSeconds;
}

export interface TitleName {
  titleId: string;
  name: string;
}

interface Expiry {
  snapshots: EpochSeconds;
  dailies: EpochSeconds;
}

/** Write side of the store. */
export interface SeriesWriter {
  siteSnapshots(period: Period): Promise<SiteSnapshot[]>;
  slotBefore(instant: EpochSeconds): Promise<EpochSeconds | null>;
  slotAfter(instant: EpochSeconds): Promise<EpochSeconds | null>;
  /** In no order. */
  runsBetween(from: EpochSeconds, to: EpochSeconds): Promise<MatchRun[]>;
  /**
   * Stores new slots: removes runs in `remove`, puts those in `put`, makes titles known, and counts registered users.
   */
  commit(batch: SlotBatch): Promise<void>;
  /** Rewrites slots that were only read back, since a database may return data that it failed to persist. */
  confirm(sites: readonly SiteSnapshot[]): Promise<void>;
  /** Recomputes days from stored data; a day computed from more snapshots than remain stays. */
  rollUp(days: readonly EpochSeconds[]): Promise<void>;
  /** The later reading wins; on a tie the greater count. */
  putRegistered(counts: readonly RegisteredCount[]): Promise<void>;
  /** The higher revision wins. */
  putTitleNames(revision: number, names: readonly TitleName[]): Promise<void>;
  /** Removes the oldest expired slots, at most `slots`. Returns whether more is left. */
  purge(expiry: Expiry, slots: number): Promise<boolean>;
}

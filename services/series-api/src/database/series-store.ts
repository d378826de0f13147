import type { EpochSeconds } from '@lobbystats/contracts';
import type { MatchRun, MatchTotals, RunChanges } from '../matches/match-runs.ts';
import type { Period } from '../snapshots/periods.ts';
import type { MatchSnapshot, TitleSnapshot, SiteSnapshot, SlotSnapshot } from '../snapshots/snapshots.ts';

/**
 * A slot is stored once its site snapshot is, which is written last. Writes are idempotent. A miss is null or empty.
 * Throws AppError `unavailable`.
 */
export interface SeriesStore extends SeriesReader, SeriesWriter {
  /** Rejects when the database can't be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export type SeriesPoint = readonly [slot: EpochSeconds, count: number];

export interface TitlePeak {
  titleId: string;
  peak: number;
  total: number;
  samples: number;
}

export interface TitleLobbies {
  titleId: string;
  hosts: string[];
}

export interface Page {
  limit: number;
  offset: number;
}

interface MatchPage {
  total: number;
  matches: MatchRun[];
}

/** Some matches of a host: their number, the first begin and the last end. */
export interface Hosting extends Pick<MatchRun, 'host' | 'startedAt' | 'endedAt'> {
  matches: number;
}

export interface TitleDay {
  day: EpochSeconds;
  /** Matches that were open on the day. */
  lobbyCount: number;
  uniqueHosts: number;
  peakPlayers: number;
  peakOnline: number;
  onlineSum: number;
  samples: number;
  newestSlot: EpochSeconds;
}

export interface SiteDay {
  day: EpochSeconds;
  onlineSum: number;
  samples: number;
  peakOnline: number;
  peakOnlineAt: EpochSeconds;
  /** Sum over the slots with a count of lobbies. */
  lobbySum: number;
  lobbySamples: number;
  peakLobbies: number | null;
  peakLobbiesAt: EpochSeconds | null;
  /** Begun on that day. */
  matches: number;
  newestSlot: EpochSeconds;
}

/** Highest counts of all days that were rolled up, of equal ones the first. */
export interface TitleRecords {
  online: SeriesPoint | null;
  lobbies: SeriesPoint | null;
}

/** Read side of the store. */
export interface SeriesReader {
  slotBefore(instant: EpochSeconds): Promise<EpochSeconds | null>;
  /** Null when it has neither a name nor a slot. */
  title(titleId: string): Promise<TitleName | null>;
  /** By title ID; titles without a name have an empty one. */
  titleNames(): Promise<ReadonlyMap<string, string>>;
  siteOnline(period: Period): Promise<SeriesPoint[]>;
  /** Ascending; slots without a count are absent. */
  siteLobbies(period: Period): Promise<SeriesPoint[]>;
  titleOnline(titleId: string, period: Period): Promise<SeriesPoint[]>;
  titlePeaks(period: Period): Promise<TitlePeak[]>;
  /** The same of daily statistics. */
  titleDayPeaks(period: Period): Promise<TitlePeak[]>;
  /** Titles of a slot: all, or one. */
  titlesIn(slot: EpochSeconds, titleId?: string): Promise<TitleSnapshot[]>;
  /** Only titles with open lobbies: all, or one. */
  lobbiesIn(slot: EpochSeconds, titleId?: string): Promise<TitleLobbies[]>;
  /** In the newest slot of the period with a page of the title; titles without one are absent. */
  newestLobbies(titleIds: readonly string[], period: Period): Promise<TitleLobbies[]>;
  /** As of the period's end. Newest end first, then by host in code-point order. */
  matches(titleId: string, period: Period, page: Page): Promise<MatchPage>;
  /** Runs of all titles, or of one, in no order. */
  runsBetween(from: EpochSeconds, to: EpochSeconds, titleId?: string): Promise<MatchRun[]>;
  /** Totals of {@link matches}. `peakPlayers`: the most in a match, or in all open matches of one slot. */
  matchTotals(titleId: string, period: Period): Promise<MatchTotals>;
  /** Matches of a host, by `nameKey`, that overlap a period; grouped in any way, in no order. */
  hostings(playerKey: string, period: Period): Promise<Hosting[]>;
  titleDays(titleId: string, period: Period): Promise<TitleDay[]>;
  registered(period: Period): Promise<RegisteredCount[]>;
  /** Never purged. */
  siteDays(period: Period): Promise<SiteDay[]>;
  /** Never purged. */
  titleRecords(titleId: string): Promise<TitleRecords>;
  /** Slots of the period, and all days. */
  countStored(slots: Period): Promise<StoredCounts>;
}

/** New slots and changed runs. */
export interface SlotBatch {
  slots: readonly SlotSnapshot[];
  runs: RunChanges;
}

/** Both inclusive. */
export interface SlotRange {
  from: EpochSeconds;
  to: EpochSeconds;
}

/** Counts of slots, of days with a rollup, and of days with registered users. */
export interface StoredCounts {
  slots: number;
  days: number;
  registeredDays: number;
}

export interface RegisteredCount {
  day: EpochSeconds;
  registered: number;
  seenAt: EpochSeconds;
}

interface TitleName {
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
  runsBetween(from: EpochSeconds, to: EpochSeconds, titleId?: string): Promise<MatchRun[]>;
  /** Snapshots of a title's matches, ascending by slot. */
  matchSnapshots(titleId: string, period: Period): Promise<MatchSnapshot[]>;
  /** Number of runs that began from `from` to `to`: a day has too many to be read. */
  countRuns(from: EpochSeconds, to: EpochSeconds): Promise<number>;
  /**
   * Stores new slots: removes runs in `remove`, puts those in `put`, makes titles known, and counts registered users.
   */
  commit(batch: SlotBatch): Promise<void>;
  /** Rewrites slots that were only read back, since a database may return data that it failed to persist. */
  confirm(sites: readonly SiteSnapshot[]): Promise<void>;
  /**
   * Recomputes days of titles from stored data, and raises the titles' records. A day computed from more snapshots than
   * remain stays.
   */
  rollUp(days: readonly EpochSeconds[]): Promise<void>;
  putSiteDays(days: readonly SiteDay[]): Promise<void>;
  /**
   * Removes slots, and what can only be derived again without them: these days, the readings of registered users in the
   * slots, and records that were set in them. Runs are changed by `commit`.
   */
  removeSlots(slots: SlotRange, days: readonly EpochSeconds[]): Promise<void>;
  /** Raises the records of all titles to the peaks of these days, and of earlier ones, whose snapshots are gone. */
  raiseRecords(days: readonly EpochSeconds[]): Promise<void>;
  /** Marks slots as withdrawn until an instant, as long as snapshots are kept. The later instant wins. */
  markWithdrawn(slots: SlotRange, at: EpochSeconds): Promise<void>;
  /** Each withdrawn slot of a period has the instant until which it is withdrawn. */
  withdrawnSlots(period: Period): Promise<ReadonlyMap<EpochSeconds, EpochSeconds>>;
  /** Removes all that is stored of titles; sums over all titles stay. */
  removeTitles(titleIds: readonly string[]): Promise<void>;
  /** The later reading wins; on a tie the greater count. */
  putRegistered(counts: readonly RegisteredCount[]): Promise<void>;
  /** The higher revision wins. */
  putTitleNames(revision: number, names: readonly TitleName[]): Promise<void>;
  /** Removes the oldest expired slots, at most `slots`. Returns whether more is left. */
  purge(expiry: Expiry, slots: number): Promise<boolean>;
}

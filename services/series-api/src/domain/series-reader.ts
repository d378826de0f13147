import type { EpochSeconds } from '@lobbystats/contracts';
import type { MatchRun } from './match-runs.ts';
import type { Period } from './periods.ts';
import type { RegisteredCount, TitleName } from './series-writer.ts';
import type { TitleSnapshot } from './snapshots.ts';

/** A count and its slot: a pair, not an object, because an answer can have 8,640 of them. */
export type SeriesPoint = readonly [slot: EpochSeconds, count: number];

/** A title's online counts over a period. */
export interface TitlePeak extends TitleName {
  /** The highest single snapshot, and the sum of all. */
  peak: number;
  total: number;
}

/** A title's open matches in the newest slot in which they could be had. */
interface TitleLobbies {
  titleId: string;
  /** In no order. */
  hosts: string[];
}

/** A part of a list. */
export interface Page {
  limit: number;
  offset: number;
}

/** A part of a title's matches, and how many there are. */
interface MatchPage {
  total: number;
  matches: MatchRun[];
}

/** A title's matches in numbers. */
interface MatchTotals {
  matches: number;
  hosts: number;
  /** The most players over all hosts in one snapshot, 0 without any. */
  peakPlayers: number;
}

/** One title on one UTC day. */
export interface TitleDay {
  /** The day's beginning. */
  day: EpochSeconds;
  /** Matches begun, and hosts seen. */
  lobbyCount: number;
  uniqueHosts: number;
  /** The most players over all hosts in one snapshot. */
  peakPlayers: number;
  peakOnline: number;
  /** The sum of the online counts of so many snapshots. */
  onlineSum: number;
  samples: number;
  /** The newest slot that is counted in it. */
  newestSlot: EpochSeconds;
}

/** The side of the store that answers are made from. */
export interface SeriesReader {
  /** The newest stored slot before an instant, or null. */
  slotBefore(instant: EpochSeconds): Promise<EpochSeconds | null>;
  /** A title that has a name or was ever in a slot, else null. */
  title(titleId: string): Promise<TitleName | null>;
  /** Users online on the whole site, ascending. */
  siteOnline(period: Period): Promise<SeriesPoint[]>;
  /** Open matches on the whole site, ascending, without the slots that have no count. */
  siteLobbies(period: Period): Promise<SeriesPoint[]>;
  /** Users online in a title, ascending. */
  titleOnline(titleId: string, period: Period): Promise<SeriesPoint[]>;
  /** Every title that is in a slot of the period, by title ID. */
  titlePeaks(period: Period): Promise<TitlePeak[]>;
  /** Every title in a slot, by title ID. */
  titlesIn(slot: EpochSeconds): Promise<TitleSnapshot[]>;
  /** The newest open matches had in the period, for each title of which any page was had in it. */
  newestLobbies(period: Period): Promise<TitleLobbies[]>;
  /**
   * A title's matches that ended in the period, as they stood at its end: what came later isn't seen. Newest end first,
   * then by host name in code-point order.
   */
  matches(titleId: string, period: Period, page: Page): Promise<MatchPage>;
  /** The same matches counted, their different hosts, and the peak of the snapshots in the period. */
  matchTotals(titleId: string, period: Period): Promise<MatchTotals>;
  /** A title's days that have data and begin in the period, ascending. */
  titleDays(titleId: string, period: Period): Promise<TitleDay[]>;
  /** Registered users of the days that have a count and begin in the period, ascending. */
  registered(period: Period): Promise<RegisteredCount[]>;
}

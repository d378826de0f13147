import type { EpochSeconds } from '@lobbystats/contracts';
import type { MatchRun } from './match-runs.ts';
import type { Period } from './periods.ts';
import type { RegisteredCount, TitleName } from './series-writer.ts';
import type { TitleSnapshot } from './snapshots.ts';

export type SeriesPoint = readonly [slot: EpochSeconds, count: number];

export interface TitlePeak extends TitleName {
  peak: number;
  total: number;
}

interface TitleLobbies {
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

interface MatchTotals {
  matches: number;
  hosts: number;
  peakPlayers: number;
}

export interface TitleDay {
  day: EpochSeconds;
  lobbyCount: number;
  uniqueHosts: number;
  peakPlayers: number;
  peakOnline: number;
  onlineSum: number;
  samples: number;
  newestSlot: EpochSeconds;
}

/** Read side of the store. */
export interface SeriesReader {
  slotBefore(instant: EpochSeconds): Promise<EpochSeconds | null>;
  /** Null when it has neither a name nor a slot. */
  title(titleId: string): Promise<TitleName | null>;
  siteOnline(period: Period): Promise<SeriesPoint[]>;
  /** Ascending; slots without a count are absent. */
  siteLobbies(period: Period): Promise<SeriesPoint[]>;
  titleOnline(titleId: string, period: Period): Promise<SeriesPoint[]>;
  titlePeaks(period: Period): Promise<TitlePeak[]>;
  titlesIn(slot: EpochSeconds): Promise<TitleSnapshot[]>;
  /** For each title with a page in the period. */
  newestLobbies(period: Period): Promise<TitleLobbies[]>;
  /** As of the period's end. Newest end first, then by host in code-point order. */
  matches(titleId: string, period: Period, page: Page): Promise<MatchPage>;
  /** Counts, unique hosts and peak of the same matches. */
  matchTotals(titleId: string, period: Period): Promise<MatchTotals>;
  titleDays(titleId: string, period: Period): Promise<TitleDay[]>;
  registered(period: Period): Promise<RegisteredCount[]>;
}

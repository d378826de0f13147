import type { EpochSeconds, MissingSource, NetworkSourceName, RefusedSource } from '@lobbystats/contracts';
import type { BoardKey } from '../network/board.ts';
import type { PageFailure } from '../network/page-failures.ts';
import type { SlotObservation } from '../network/slot-observation.ts';

export interface BackfillProgress {
  doneSlots: number;
  totalSlots: number;
  doneDays: number;
}

export interface BoardBackfillProgress {
  donePasses: number;
  totalPasses: number;
  done: boolean;
}

export type PageName = 'home' | 'game' | 'board' | 'events' | 'players' | 'icon';

export type ParserLabel = PageName | 'history';

/** A `inconsistent` board is read again. */
type BoardOutcome = 'changed' | 'unchanged' | 'gone' | 'inconsistent';

/** Metrics and logs. Must not throw. */
export interface Telemetry {
  requestSent(waitedMs: number): void;
  /** Requests that wait for the rate limit now. */
  requestsWaiting(count: number): void;
  /** This replica leads now, or no longer. */
  leads(isLeading: boolean): void;
  /** A `Retry-After` is in effect for this time. */
  quietAnnounced(remainingMs: number): void;
  pageRead(page: PageName, how: 'read' | 'unchanged'): void;
  pageFailed(page: PageName, url: string, failure: PageFailure): void;
  /** Includes the wait for a parser. */
  pageParsed(page: ParserLabel, durationMs: number): void;
  pageTerminated(page: ParserLabel, reason: 'deadline' | 'memory' | 'crash'): void;
  /** New titles that a homepage had too many of. */
  titlesRefused(slot: EpochSeconds, count: number): void;
  /** Matches of a slot that had too many of them. */
  matchesRefused(slot: EpochSeconds, count: number): void;
  slotFinished(slot: EpochSeconds, observation: SlotObservation, durationMs: number): void;
  slotMissed(slot: EpochSeconds): void;
  /** The clock was set back: a later slot is published already. */
  slotSkipped(slot: EpochSeconds): void;
  backfillProgressed(progress: BackfillProgress): void;
  backfillEnded(progress: BackfillProgress): void;
  boardRead(outcome: BoardOutcome): void;
  boardFailed(board: BoardKey, failure: PageFailure): void;
  boardsEnqueued(count: number): void;
  boardBackfillProgressed(progress: BoardBackfillProgress): void;
  eventsSkipped(count: number): void;
  playersSkipped(count: number): void;
  playerBackfillProgressed(done: boolean): void;
  /** `missing`: undefined when the network has the source. */
  sourceChecked(source: NetworkSourceName, missing: MissingSource | undefined): void;
  /** The sources whose pages were all refused in two slots. */
  sourcesRefused(refused: readonly RefusedSource[]): void;
  /** A past slot was published from pages that were refused; `missing`: titles that it still lacks. */
  slotCompleted(slot: EpochSeconds, missing: number): void;
  fault(what: string, error: unknown): void;
}

import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardKey } from './board.ts';
import type { PageFailure } from './page-failures.ts';
import type { SlotObservation } from './slot-observation.ts';

/** How far the fill of a first start is. */
export interface FillProgress {
  doneSlots: number;
  totalSlots: number;
  /** Days whose registered users are done. */
  doneDays: number;
}

/** How far the boards' past is. */
export interface BoardFillProgress {
  donePasses: number;
  totalPasses: number;
  done: boolean;
}

export type PageName = 'home' | 'game' | 'board' | 'events' | 'players';

/** What is parsed: a page, or a part of the network's past. */
export type ParsedName = PageName | 'history';

/**
 * What became of a board: said as it is now, the same as last time, said to be gone, or (to be read again) not of one piece.
 */
type BoardOutcome = 'changed' | 'unchanged' | 'gone' | 'torn';

/** Where everything worth counting or logging is told. Must not throw. */
export interface Telemetry {
  /** A request was sent, after waiting so many milliseconds for its turn. */
  requested(waitedMs: number): void;
  /** A page was had: read, or unchanged since it was. */
  pageHad(page: PageName, how: 'read' | 'unchanged'): void;
  pageFailed(page: PageName, url: string, failure: PageFailure): void;
  /** The process that parsed it was ended: by its deadline, by its memory, or it crashed. */
  pageTerminated(page: ParsedName, reason: 'deadline' | 'memory' | 'crash'): void;
  /** Rows of the homepage were left out of a slot. */
  rowsSkipped(slot: EpochSeconds, count: number): void;
  /** @param durationMs since the slot began */
  slotFinished(slot: EpochSeconds, observation: SlotObservation, durationMs: number): void;
  /** Nothing is known of a slot, and nothing is said. */
  slotMissed(slot: EpochSeconds): void;
  /** The present slot isn't opened, as a later one was said: the clock was set back. */
  slotSkipped(slot: EpochSeconds): void;
  fillProgressed(progress: FillProgress): void;
  fillEnded(progress: FillProgress): void;
  boardHad(outcome: BoardOutcome): void;
  /** A board could not be had, and is tried again within the hour; or it can't be said. */
  boardFailed(board: BoardKey, failure: PageFailure): void;
  /** Jobs for boards were handed out. */
  boardsWanted(count: number): void;
  boardFillProgressed(progress: BoardFillProgress): void;
  /** Events of the feed were left out. */
  eventsSkipped(count: number): void;
  /** Players of the feed were left out. */
  playersSkipped(count: number): void;
  /** The players' past goes on, or is done. */
  playerFillProgressed(done: boolean): void;
  /** Something of our own failed and will be tried again. */
  fault(what: string, error: unknown): void;
}

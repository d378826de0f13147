import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardKey } from './board.ts';
import type { PageFailure } from './page-failures.ts';
import type { SlotObservation } from './slot-observation.ts';

export interface FillProgress {
  doneSlots: number;
  totalSlots: number;
  doneDays: number;
}

export interface BoardFillProgress {
  donePasses: number;
  totalPasses: number;
  done: boolean;
}

export type PageName = 'home' | 'game' | 'board' | 'events' | 'players';

export type ParsedName = PageName | 'history';

/** `torn` is read again. */
type BoardOutcome = 'changed' | 'unchanged' | 'gone' | 'torn';

/** Metrics and logs. Must not throw. */
export interface Telemetry {
  requested(waitedMs: number): void;
  pageHad(page: PageName, how: 'read' | 'unchanged'): void;
  pageFailed(page: PageName, url: string, failure: PageFailure): void;
  pageTerminated(page: ParsedName, reason: 'deadline' | 'memory' | 'crash'): void;
  rowsSkipped(slot: EpochSeconds, count: number): void;
  slotFinished(slot: EpochSeconds, observation: SlotObservation, durationMs: number): void;
  slotMissed(slot: EpochSeconds): void;
  /** The clock was set back: a later slot is published already. */
  slotSkipped(slot: EpochSeconds): void;
  fillProgressed(progress: FillProgress): void;
  fillEnded(progress: FillProgress): void;
  boardHad(outcome: BoardOutcome): void;
  boardFailed(board: BoardKey, failure: PageFailure): void;
  boardsWanted(count: number): void;
  boardFillProgressed(progress: BoardFillProgress): void;
  eventsSkipped(count: number): void;
  playersSkipped(count: number): void;
  playerFillProgressed(done: boolean): void;
  fault(what: string, error: unknown): void;
}

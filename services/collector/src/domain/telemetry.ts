import type { EpochSeconds } from '@lobbystats/contracts';
import type { PageFailure } from './page-failures.ts';
import type { SlotObservation } from './slot-observation.ts';

/** How far the fill of a first start is. */
export interface FillProgress {
  doneSlots: number;
  totalSlots: number;
  /** Days whose registered users are done. */
  doneDays: number;
}

export type PageName = 'home' | 'game';

/** Where everything worth counting or logging is told. Must not throw. */
export interface Telemetry {
  /** A request was sent, after waiting so many milliseconds for its turn. */
  requested(waitedMs: number): void;
  /** A page was had: read, or unchanged since it was. */
  pageHad(page: PageName, how: 'read' | 'unchanged'): void;
  pageFailed(page: PageName, url: string, failure: PageFailure): void;
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
  /** Something of our own failed and will be tried again. */
  fault(what: string, error: unknown): void;
}

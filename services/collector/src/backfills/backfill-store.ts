import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardKey } from '../network/board.ts';

/** Progress of a backfill, kept for the next leader. */
interface Progress<Range, State extends Range> {
  /** Stores the range at the first call. Returns the stored state. */
  begin(range: Range): Promise<State>;
  state(): Promise<State | undefined>;
}

/** Fixed once: slots that are missed later stay missing. */
export interface BackfillRange {
  fromSlot: EpochSeconds;
  toSlot: EpochSeconds;
  fromDay: EpochSeconds;
  toDay: EpochSeconds;
}

export interface BackfillState extends BackfillRange {
  doneFrom: EpochSeconds;
  daysDone: boolean;
}

export interface BackfillStore extends Progress<BackfillRange, BackfillState> {
  markDaysDone(): Promise<void>;
  setDoneFrom(slot: EpochSeconds): Promise<void>;
}

export interface BoardBackfillRange {
  fromPass: EpochSeconds;
  toPass: EpochSeconds;
}

export interface BoardBackfillState extends BoardBackfillRange {
  cursor: string | null;
  reached: EpochSeconds;
  isDone: boolean;
}

export interface BackfilledBoard extends BoardKey {
  name: string;
  pass: EpochSeconds;
  digest: string | null;
}

export interface BoardBackfillStep {
  next: string | null;
  reached: EpochSeconds;
  published: readonly BackfilledBoard[];
}

export interface BoardBackfillStore extends Progress<BoardBackfillRange, BoardBackfillState> {
  /**
   * Stores a step that began at `cursor`, with what was published, for the board memory. A board not seen yet counts as
   * listed. No effect when the backfill is at another cursor.
   */
  advance(cursor: string | null, step: BoardBackfillStep): Promise<void>;
  /** The last publication of each board by the finished steps. */
  published(): Promise<Omit<BackfilledBoard, 'name'>[]>;
}

export interface PlayerBackfillRange {
  from: EpochSeconds;
  to: EpochSeconds;
}

export interface PlayerBackfillState extends PlayerBackfillRange {
  cursor: string | null;
  isDone: boolean;
}

export interface PlayerBackfillStore extends Progress<PlayerBackfillRange, PlayerBackfillState> {
  /** Moves from `cursor` to `next`; null: finished. No effect when the backfill is at another cursor. */
  advance(cursor: string | null, next: string | null): Promise<void>;
}

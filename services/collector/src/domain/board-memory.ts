import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardKey, ListedBoard } from './board.ts';
import type { Lease } from './lease.ts';

/** What a page gave for asking whether it has changed. */
export interface PageValidators {
  etag: string | null;
  lastModified: string | null;
}

/** What was last said of a board on the bus. */
export interface SaidBoard {
  /** 0 when it is known of none. */
  pass: EpochSeconds;
  /** Of what was said; null when it was said to be gone, `""` when nobody knows what it was, as it was never confirmed. */
  digest: string | null;
}

/** What is remembered of a board. */
export interface BoardMemo {
  name: string;
  /** Whether its title's page lists it. */
  isListed: boolean;
  /** Null before anything was said. */
  said: SaidBoard | null;
  /** Of its pages in order, as they were when they said that; none where a page gave none. */
  validators: PageValidators[];
  /** When it couldn't be had, at the latest attempt; null when it was had since. */
  owedAt: EpochSeconds | null;
}

/** A board that is to be read. */
export interface DueBoard extends BoardKey {
  name: string;
}

/**
 * What all replicas remember of boards, so that they tell changes alone. Every method is one atomic step for each board,
 * and may be repeated. They reject with an AppError `unavailable` when the store can't be had.
 */
export interface BoardMemory {
  /**
   * Keeps what a title's page lists. Writes nothing when it lists what it did. Of a board that has another name now nothing is
   * unchanged any more: it is read whole the next time.
   */
  list(titleId: string, boards: readonly ListedBoard[]): Promise<void>;
  /** The boards of a turn: those that are listed, and those that are not but were never said to be gone. */
  due(turn: number): Promise<DueBoard[]>;
  /** The boards that couldn't be had in this pass, the oldest attempt first. */
  owed(pass: EpochSeconds): Promise<DueBoard[]>;
  recall(board: BoardKey): Promise<BoardMemo | undefined>;
  /**
   * Takes the right to say this of a board in a pass. False when it has been said in this pass or a later one (but
   * for one that lies ahead of the lease's time), or somebody else is about to. From then on until `said`, nobody knows what
   * was last said: its digest is `""`, and its pages have no validators.
   *
   * @returns else what somebody was about to say in the same pass before, if anything: whether it was said, nobody knows
   */
  claim(board: BoardKey, saying: SaidBoard, lease: Lease): Promise<{ before: string | null | undefined } | false>;
  /** Keeps what was said, of which pages. One that is gone is no longer listed, until its title's page says otherwise. */
  said(board: BoardKey, said: SaidBoard, validators: readonly PageValidators[]): Promise<void>;
  /** What was said is still true, and these pages say it. */
  confirmed(board: BoardKey, validators: readonly PageValidators[]): Promise<void>;
  /** It couldn't be had at this instant; null when it is of no use to try again in this pass. */
  owe(board: BoardKey, at: EpochSeconds | null): Promise<void>;
}

import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardKey, ListedBoard } from '../network/board.ts';
import type { PageValidators } from '../network/page-cache.ts';

export interface PublishedBoard {
  /** 0: no pass is known. */
  pass: EpochSeconds;
  /** Null: published as gone. `""`: unknown, since publishing was never confirmed. */
  digest: string | null;
}

export interface BoardState {
  name: string;
  isListed: boolean;
  /** Null before anything was published. */
  published: PublishedBoard | null;
  validators: PageValidators[];
  retryPendingSince: EpochSeconds | null;
}

export interface DueBoard extends BoardKey {
  name: string;
}

/**
 * Kept for the next leader, so that only changes are published. Every method is atomic for each board and idempotent.
 * Throws AppError `unavailable` without the store.
 */
export interface BoardCrawlState {
  /**
   * Stores the boards a title's page lists, new ones up to BOARDS_PER_TITLE_MAX in all. A renamed board is read whole the
   * next time.
   */
  updateListing(titleId: string, boards: readonly ListedBoard[]): Promise<void>;
  /** Boards of a group that are listed, or not yet published as gone. */
  due(group: number): Promise<DueBoard[]>;
  pendingRetries(pass: EpochSeconds): Promise<DueBoard[]>;
  get(board: BoardKey): Promise<BoardState | undefined>;
  /**
   * Notes that a board will be published in a pass. False when that pass or a later one is published. Until
   * `markPublished`, the published digest is unknown.
   *
   * @param nowMs a published pass later than this is of a clock that was ahead
   * @returns `before`: the digest of an earlier note of the same pass that was never confirmed
   */
  beginPublishing(
    board: BoardKey,
    saying: PublishedBoard,
    nowMs: number,
  ): Promise<{ before: string | null | undefined } | false>;
  /** Confirms a publication. A board that is gone is no longer listed. */
  markPublished(board: BoardKey, said: PublishedBoard, validators: readonly PageValidators[]): Promise<void>;
  /** Stores validators of pages that confirm the last publication. */
  markConfirmed(board: BoardKey, validators: readonly PageValidators[]): Promise<void>;
  setPendingRetry(board: BoardKey, at: EpochSeconds | null): Promise<void>;
  /** Forgets boards that are not listed, and were never published, or as gone in a pass before this one. */
  forgetGone(beforePass: EpochSeconds): Promise<void>;
}

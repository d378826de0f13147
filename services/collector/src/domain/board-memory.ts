import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardKey, ListedBoard } from './board.ts';
import type { Lease } from './lease.ts';

export interface PageValidators {
  etag: string | null;
  lastModified: string | null;
}

export interface SaidBoard {
  /** 0: no pass is known. */
  pass: EpochSeconds;
  /** Null: published as gone. `""`: unknown, since publishing was never confirmed. */
  digest: string | null;
}

export interface BoardMemo {
  name: string;
  isListed: boolean;
  /** Null before anything was published. */
  said: SaidBoard | null;
  validators: PageValidators[];
  owedAt: EpochSeconds | null;
}

export interface DueBoard extends BoardKey {
  name: string;
}

/**
 * Shared by all replicas, so that only changes are published. Every method is atomic for each board and idempotent.
 * Throws AppError `unavailable` without the store.
 */
export interface BoardMemory {
  /** Stores the boards a title's page lists. A renamed board is read whole the next time. */
  list(titleId: string, boards: readonly ListedBoard[]): Promise<void>;
  /** Boards of a turn that are listed, or not yet published as gone. */
  due(turn: number): Promise<DueBoard[]>;
  owed(pass: EpochSeconds): Promise<DueBoard[]>;
  recall(board: BoardKey): Promise<BoardMemo | undefined>;
  /**
   * Claims publishing of a board in a pass. False when that pass or a later one is published or another replica holds
   * the claim. Until `said`, the published digest is unknown. Returns an unconfirmed claim of the same pass.
   *
   * @returns else what somebody was about to say in the same pass before, if anything: whether it was said, nobody knows
   */
  claim(board: BoardKey, saying: SaidBoard, lease: Lease): Promise<{ before: string | null | undefined } | false>;
  /** Confirms a publication. A board that is gone is no longer listed. */
  said(board: BoardKey, said: SaidBoard, validators: readonly PageValidators[]): Promise<void>;
  /** The last publication still holds, according to these pages. */
  confirmed(board: BoardKey, validators: readonly PageValidators[]): Promise<void>;
  owe(board: BoardKey, at: EpochSeconds | null): Promise<void>;
}

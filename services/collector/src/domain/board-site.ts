import type { BoardKey } from './board.ts';
import type { PageValidators } from './board-memory.ts';
import type { BoardPageReading } from './readings.ts';

/** What asking for a board's page came to. */
export type BoardPageAnswer =
  | { kind: 'read'; page: BoardPageReading; validators: PageValidators }
  /** As it was when it gave the validators that it was asked with. */
  | { kind: 'unchanged' }
  /** The network has no such page. */
  | { kind: 'absent' };

/**
 * The network's boards, a page at a time, read politely: behind everything that a slot waits for.
 *
 * Rejects with a PageFailure when the page could not be had.
 */
export interface BoardSite {
  /**
   * @param page from 1 on
   * @param validators if given, the answer may be that it is unchanged
   * @param deadlineMs epoch milliseconds; later it is of no use
   */
  boardPage(board: BoardKey, page: number, deadlineMs: number, validators?: PageValidators): Promise<BoardPageAnswer>;
}

import type { BoardKey } from './board.ts';
import type { PageValidators } from './board-memory.ts';
import type { BoardPageReading } from './readings.ts';

export type BoardPageAnswer =
  { kind: 'read'; page: BoardPageReading; validators: PageValidators } | { kind: 'unchanged' } | { kind: 'absent' };

/** Requests behind all that a slot waits for. Rejects with a PageFailure. */
export interface BoardSite {
  /**
   * @param page from 1 on
   *
   * @param page from 1 on
   * @param validators if given, the answer may be that it is unchanged
   * @param deadlineMs epoch milliseconds; later it is of no use
   */
  boardPage(board: BoardKey, page: number, deadlineMs: number, validators?: PageValidators): Promise<BoardPageAnswer>;
}

import type { BoardKey } from './board.ts';
import type { PageValidators } from './board-crawl-state.ts';
import type { BoardPageReading } from '../network/readings.ts';

export type BoardPageResponse =
  { kind: 'read'; page: BoardPageReading; validators: PageValidators } | { kind: 'unchanged' } | { kind: 'absent' };

/** Sends requests with the lowest priority. Rejects with a PageFailure. */
export interface BoardSite {
  /**
   * @param page counted from 1
   * @param deadlineMs epoch milliseconds
   * @param validators make the request conditional
   */
  boardPage(board: BoardKey, page: number, deadlineMs: number, validators?: PageValidators): Promise<BoardPageResponse>;
}

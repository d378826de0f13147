import { boardIdOf, type BoardKey } from './board.ts';
import type { BoardMemo, PageValidators } from './board-memory.ts';

const MOST_BOARDS = 30_000;

/** Recent validators of unchanged boards, in memory only: without them a board is read whole once. */
export interface FreshValidators {
  /** Validators of the board's last publication: recent ones, else the stored ones. */
  of(board: BoardKey, memo: BoardMemo): readonly PageValidators[];
  keep(board: BoardKey, memo: BoardMemo, validators: readonly PageValidators[]): void;
}

export function createFreshValidators(): FreshValidators {
  const kept = new Map<string, { word: string; validators: readonly PageValidators[] }>();
  return {
    of: (board, memo) => {
      const fresh = kept.get(boardIdOf(board));
      return fresh?.word === wordOf(memo) ? fresh.validators : memo.validators;
    },
    keep: (board, memo, validators) => {
      kept.delete(boardIdOf(board));
      kept.set(boardIdOf(board), { word: wordOf(memo), validators });
      const [oldest] = kept.keys();
      if (kept.size > MOST_BOARDS && oldest !== undefined) kept.delete(oldest);
    },
  };
}

function wordOf({ name, said }: BoardMemo): string {
  return JSON.stringify([name, said?.digest]);
}

import { boardIdOf, type BoardKey } from './board.ts';
import type { BoardMemo, PageValidators } from './board-memory.ts';

/** As many boards as a network may have ten times over: some megabytes. */
const MOST_BOARDS = 30_000;

/**
 * What unchanged boards' pages gave of late for asking whether they have changed: it is no word that the store would have to
 * keep. Whoever doesn't have it reads the board whole once.
 */
export interface FreshValidators {
  /** Of pages that say what was last said under that name: those that were given since, else those of the memo. */
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

/** The digest has the name that was said; a board that has another one now must be read whole. */
function wordOf({ name, said }: BoardMemo): string {
  return JSON.stringify([name, said?.digest]);
}

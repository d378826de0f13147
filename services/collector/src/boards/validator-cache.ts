import { LRUCache } from '@lobbystats/service-kit/concurrency';
import { boardIdOf, type BoardKey } from '../network/board.ts';
import type { BoardState } from './board-crawl-state.ts';
import type { PageValidators } from '../network/page-cache.ts';

const MAX_BOARDS = 30_000;

/** Recent validators of unchanged boards, in memory only: without them a board is read whole once. */
export function createValidatorCache() {
  const cache = new LRUCache<string, { word: string; validators: readonly PageValidators[] }>({ max: MAX_BOARDS });
  return {
    /** Validators of the board's last publication: recent ones, else the stored ones. */
    get(board: BoardKey, state: BoardState): readonly PageValidators[] {
      const fresh = cache.get(boardIdOf(board));
      return fresh?.word === versionOf(state) ? fresh.validators : state.validators;
    },
    set(board: BoardKey, state: BoardState, validators: readonly PageValidators[]): void {
      cache.set(boardIdOf(board), { word: versionOf(state), validators });
    },
  };
}

function versionOf({ name, published }: BoardState): string {
  return JSON.stringify([name, published?.digest]);
}

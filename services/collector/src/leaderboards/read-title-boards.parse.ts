import type { GamePageReading } from '../network/network.ts';
import { UnparseablePageError } from '../network/page-failures.ts';
import { loadWholePage } from '../pages/page.parse.ts';
import { readBoardPage } from '../pages/read-board-page.parse.ts';
import type { RatingRule } from '../pages/raw-times.ts';
import { readGamePage } from '../pages/read-game-page.parse.ts';

/** The ID of the only leaderboard of a page without a menu. */
const ONLY_BOARD = 1;

/**
 * Reads a game page whose leaderboard is on it: that of the chosen option, else of the first one. Leaderboards whose rows
 * come by script are not listed, since they can't be read.
 *
 * @throws UnparseablePageError as for any game page
 */
export function readTitleBoards(html: string, _baseUrl?: string, rule?: RatingRule): GamePageReading {
  const game = gameOf(html, rule);
  const shown = shownBoard(html, rule);
  if (shown === undefined) return { ...game, boards: null, shownBoards: [] };
  const id = chosenBoard(html) ?? game.boards?.[0]?.id ?? ONLY_BOARD;
  const name = game.boards?.find((board) => board.id === id)?.name ?? 'Leaderboard';
  return { ...game, boards: [{ id, name }], shownBoards: [{ id, page: { ...shown, hasNext: false } }] };
}

/** A page that has nothing but a leaderboard is one of a game, too. */
function gameOf(html: string, rule?: RatingRule): GamePageReading {
  try {
    return readGamePage(html);
  } catch (error) {
    if (!(error instanceof UnparseablePageError) || shownBoard(html, rule) === undefined) throw error;
    return { matches: null, metadata: null, boards: null };
  }
}

function shownBoard(html: string, rule?: RatingRule) {
  try {
    const page = readBoardPage(html, '', rule);
    // A script fills the rows, or the leaderboard is empty.
    return page.rows.length === 0 ? undefined : page;
  } catch (error) {
    if (error instanceof UnparseablePageError) return undefined;
    throw error;
  }
}

function chosenBoard(html: string): number | undefined {
  const { $ } = loadWholePage(html);
  const value = $('select[id*="leaderboard" i] option[selected], select[name*="leaderboard" i] option[selected]')
    .first()
    .attr('value');
  return /^\d{1,10}$/.test(value ?? '') ? Number(value) : undefined;
}

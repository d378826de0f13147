import type { GamePageReading } from '../../network/network.ts';
import { UnparseablePageError } from '../../network/page-failures.ts';
import type { BoardDescription, TitleDescription } from '../descriptions/source-description.ts';
import { loadWholePage, type PageContext } from './page.parse.ts';
import { readBoardPage } from './read-board-page.parse.ts';
import { readGamePage } from './read-game-page.parse.ts';

/** The ID of the only leaderboard of a page without a menu. */
const ONLY_BOARD = 1;

/**
 * Reads a game page whose leaderboard is on it: that of the chosen option, else of the first one. Leaderboards whose rows
 * come by script or are on several pages are not listed, since they can't be read.
 *
 * @throws UnparseablePageError as for any game page
 */
export function readTitleBoards(
  html: string,
  title: TitleDescription,
  board: BoardDescription,
  context: PageContext,
): GamePageReading {
  const shown = unlessUnparseable(() => readBoardPage(html, board, context));
  const isShown = shown?.hasNext === false && shown.rows.length > 0;
  // A page that has nothing but a leaderboard is one of a game, too.
  const game = readGamePage(html, title, context, isShown);
  if (!isShown) return { ...game, boards: null, shownBoards: [] };
  const id = chosenBoard(html, title) ?? game.boards?.[0]?.id ?? ONLY_BOARD;
  const name = game.boards?.find((each) => each.id === id)?.name ?? 'Leaderboard';
  return { ...game, boards: [{ id, name }], shownBoards: [{ id, page: shown }] };
}

function unlessUnparseable<Reading>(read: () => Reading): Reading | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnparseablePageError) return undefined;
    throw error;
  }
}

function chosenBoard(html: string, description: TitleDescription): number | undefined {
  if (typeof description.boards !== 'string') return undefined;
  const { $ } = loadWholePage(html, description);
  const value = $(description.boards).first().find(':scope option[selected]').attr('value');
  return /^\d{1,10}$/.test(value ?? '') ? Number(value) : undefined;
}

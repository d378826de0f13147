import { PageNotUnderstoodError } from '../../domain/page-failures.ts';
import type { GamePageReading } from '../../domain/readings.ts';
import { hasBoardMenu, readBoardMenu } from './board-menu.ts';
import { readMatches } from './match-table.ts';
import { readPageMetadata } from './page-metadata.ts';
import { loadWholePage } from './page.ts';

/**
 * Reads a game's own page: its open matches, what it says about the game, and its boards.
 *
 * @param html the page as it came
 * @throws PageNotUnderstoodError when it was cut, is no game's page, or has a match that can't be read: with one match left
 *   out the number of them would be wrong
 */
export function readGamePage(html: string): GamePageReading {
  const page = loadWholePage(html);
  const matches = readMatches(page);
  const metadata = readPageMetadata(page);
  if (matches === null && metadata === null && !hasBoardMenu(page)) {
    throw new PageNotUnderstoodError('it is not the page of a game');
  }
  return { matches, metadata, boards: readBoardMenu(page) };
}

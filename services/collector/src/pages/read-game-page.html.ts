import { PageNotUnderstoodError } from '../network/page-failures.ts';
import type { GamePageReading } from '../network/readings.ts';
import { hasBoardMenu, readBoardMenu } from './board-menu.html.ts';
import { readMatches } from './match-table.html.ts';
import { readPageMetadata } from './page-metadata.html.ts';
import { loadWholePage } from './page.html.ts';

/**
 * Reads a game page: open matches, metadata and leaderboards.
 *
 * @throws PageNotUnderstoodError when it is truncated, not a game page, or has an unreadable match: skipping one would
 *   make the number of matches wrong
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

import type { BoardPageReading, GamePageReading, HomepageReading } from '../network/network.ts';
import type { HtmlSource, PageDescriptions } from '../network/source-description.ts';
import type { PageContext } from './page.parse.ts';
import { readBoardPage } from './read-board-page.parse.ts';
import { readGamePage } from './read-game-page.parse.ts';
import { readHomepage } from './read-homepage.parse.ts';

interface Readings {
  homepage: HomepageReading;
  titles: GamePageReading;
  leaderboards: BoardPageReading;
}

/**
 * Reads a page as its description says, or refuses it.
 *
 * @throws UnparseablePageError with what was found and the line of NETWORK_SOURCES_FILE that would read it
 */
export function readPage<Source extends HtmlSource>(
  source: Source,
  html: string,
  description: PageDescriptions[Source],
  context: PageContext = {},
): Readings[Source] {
  const readers = { homepage: readHomepage, titles: readGamePage, leaderboards: readBoardPage };
  const read = readers[source] as unknown as (
    html: string,
    description: unknown,
    context: PageContext,
  ) => Readings[Source];
  return read(html, description, context);
}

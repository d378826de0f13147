import { readBoardPage } from './read-board-page.parse.ts';
import { readGamePage } from './read-game-page.parse.ts';
import { readHomepage } from './read-homepage.parse.ts';

/** The reader of each page: as its description says, or it throws an UnparseablePageError with what was found and the line that would read it. */
export const pageReaders = { homepage: readHomepage, titles: readGamePage, leaderboards: readBoardPage };

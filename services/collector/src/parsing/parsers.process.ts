import { readBoardPage } from '../pages/read-board-page.html.ts';
import { readGamePage } from '../pages/read-game-page.html.ts';
import { readHomepage } from '../pages/read-homepage.html.ts';
import { readEvents } from '../events/read-events.feed.ts';
import { readPastBoards, readPastDays, readPastPlayers, readPastSlots } from '../backfills/read-history.feed.ts';
import { readPlayers } from '../players/read-players.feed.ts';

/**
 * The parser of each page and feed, by name. Takes the text and the base of relative URLs; throws a
 * PageNotUnderstoodError. Readings consist of JSON values, since they are passed between processes.
 */
export const parsers = {
  home: readHomepage,
  game: readGamePage,
  board: readBoardPage,
  events: readEvents,
  players: readPlayers,
  pastSlots: readPastSlots,
  pastDays: readPastDays,
  pastBoards: readPastBoards,
  pastPlayers: readPastPlayers,
} satisfies Record<string, (text: string, baseUrl: string) => unknown>;

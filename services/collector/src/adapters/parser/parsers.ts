import { readBoardPage } from '../html/read-board-page.ts';
import { readGamePage } from '../html/read-game-page.ts';
import { readHomepage } from '../html/read-homepage.ts';
import { readEvents } from '../json/read-events.ts';
import { readPastBoards, readPastDays, readPastPlayers, readPastSlots } from '../json/read-history.ts';
import { readPlayers } from '../json/read-players.ts';

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

import { readBoardPage } from '../html/read-board-page.ts';
import { readGamePage } from '../html/read-game-page.ts';
import { readHomepage } from '../html/read-homepage.ts';
import { readEvents } from '../json/read-events.ts';
import { readPastBoards, readPastDays, readPastPlayers, readPastSlots } from '../json/read-history.ts';
import { readPlayers } from '../json/read-players.ts';

/**
 * The reader of each page and feed. Each is given the text, and what relative addresses in it are relative to; throws a
 * PageNotUnderstoodError. Readings hold JSON values alone, as they are passed between processes.
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

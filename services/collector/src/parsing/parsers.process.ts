import { readBoardPage } from '../pages/read-board-page.html.ts';
import { readGamePage } from '../pages/read-game-page.html.ts';
import { readHomepage } from '../pages/read-homepage.html.ts';
import { readEvents } from '../events/read-events.feed.ts';
import { readPastBoards, readPastDays, readPastPlayers, readPastSlots } from '../backfills/read-history.feed.ts';
import { readPlayers } from '../players/read-players.feed.ts';

/**
 * The parser of each page and feed, by name. Takes the text and the base of relative URLs; throws a
 * UnparseablePageError. Readings consist of JSON values, since they are passed between processes.
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

export type ParserName = keyof typeof parsers;
export type ReadingOf<Name extends ParserName> = ReturnType<(typeof parsers)[Name]>;

export type PageBody = string | Uint8Array;

export interface ParseTask {
  parser: ParserName;
  body: PageBody;
  baseUrl: string;
}

/** The reading is JSON, the format in which it is cached. */
export type ParseResult =
  | { kind: 'read'; json: string }
  | { kind: 'unparseable'; reason: string; isFinal: boolean }
  | { kind: 'fault'; message: string };

/**
 * Parses a page or a feed; `baseUrl` resolves relative URLs.
 *
 * Rejects with a UnparseablePageError; final when parsing exceeded its time or memory limit.
 */
export type Parse = <Name extends ParserName>(
  parser: Name,
  body: PageBody,
  baseUrl?: string,
) => Promise<ReadingOf<Name>>;

import { readBoardPage } from '../pages/read-board-page.parse.ts';
import { readGamePage } from '../pages/read-game-page.parse.ts';
import { readHomepage } from '../pages/read-homepage.parse.ts';
import { project, type Template } from '../feeds/project.parse.ts';
import { parseFeed } from '../feeds/parse-feed.parse.ts';
import { readBoardEntries, readGame, readSiteCounts } from '../feeds/read-site.parse.ts';
import type { RatingRule } from '../pages/raw-times.ts';
import { readTitleBoards } from '../leaderboards/read-title-boards.parse.ts';
import { readEvents } from '../events/read-events.parse.ts';
import type { IconReading } from '../icons/read-icon.node.ts';
import { readPastBoards, readPastDays, readPastPlayers, readPastSlots } from '../backfills/read-history.parse.ts';
import { readPlayers } from '../players/read-players.parse.ts';

/**
 * The parser of each page and feed, by name. Takes the text and the base of relative URLs; throws a
 * UnparseablePageError. Readings consist of JSON values, since they are passed between processes.
 */
const parsers = {
  home: readHomepage,
  game: readGamePage,
  gameWithBoards: readTitleBoards,
  board: readBoardPage,
  siteCounts: readSiteCounts,
  gameData: readGame,
  boardEntries: readBoardEntries,
  events: readEvents,
  players: readPlayers,
  pastSlots: readPastSlots,
  pastDays: readPastDays,
  pastBoards: readPastBoards,
  pastPlayers: readPastPlayers,
} satisfies Record<string, (text: string, baseUrl: string, rule?: RatingRule) => unknown>;

/** `icon` reads bytes, all others text. */
export type ParserName = keyof typeof parsers | 'icon';
export type ReadingOf<Name extends ParserName> = Name extends keyof typeof parsers
  ? ReturnType<(typeof parsers)[Name]>
  : IconReading;

export type PageBody = string | Uint8Array;

export interface ParseTask {
  parser: ParserName;
  body: PageBody;
  baseUrl: string;
  template?: Template | undefined;
  rule?: RatingRule | undefined;
}

export type TextTask = Omit<ParseTask, 'body' | 'parser'> & { parser: keyof typeof parsers };

/** Parses a text, or the JSON that a template makes of it. */
export function parseText({ parser, baseUrl, template, rule }: TextTask, text: string): unknown {
  // Each parser ignores what it doesn't need.
  const read: (text: string, baseUrl: string, rule?: RatingRule) => unknown = parsers[parser];
  return read(template === undefined ? text : JSON.stringify(project(template, parseFeed(text))), baseUrl, rule);
}

/** The reading is JSON, the format in which it is cached. */
export type ParseResult =
  | { kind: 'read'; json: string }
  | { kind: 'unparseable'; reason: string; isFinal: boolean }
  | { kind: 'fault'; message: string };

/**
 * Parses a page or a feed; `baseUrl` resolves relative URLs, `template` describes JSON of another form,
 * `rule` the ratings of a title.
 *
 * Rejects with a UnparseablePageError; final when parsing exceeded its time or memory limit.
 */
export type Parse = <Name extends ParserName>(
  parser: Name,
  body: PageBody,
  baseUrl?: string,
  template?: Template,
  rule?: RatingRule,
) => Promise<ReadingOf<Name>>;

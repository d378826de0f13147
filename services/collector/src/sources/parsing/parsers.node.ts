import { descriptionOf } from '../descriptions/built-in.ts';
import { pageReaders } from '../pages/read-page.parse.ts';
import type {
  HtmlSource,
  PageDescriptions,
  RatingRule,
  SourcesFile,
  Template,
} from '../descriptions/source-description.ts';
import { project } from '../feeds/project.parse.ts';
import { parseFeed } from '../feeds/parse-feed.parse.ts';
import { readBoardEntries, readGame, readSiteCounts } from '../feeds/read-site.parse.ts';
import { readTitleBoards } from '../pages/read-title-boards.parse.ts';
import { readEvents } from '../feeds/read-events.parse.ts';
import type { IconReading } from '../images/read-icon.node.ts';
import { readPastBoards, readPastDays, readPastPlayers, readPastSlots } from '../feeds/read-history.parse.ts';
import { readPlayers } from '../feeds/read-players.parse.ts';

/** What a parser needs besides the text. */
export interface ParseContext {
  /** Base of relative URLs. */
  baseUrl?: string;
  /** The described sources; default: those that are built in. */
  sources?: SourcesFile;
  /** How ratings of the title are read. */
  rule?: RatingRule | undefined;
  /** The number of a page, from 1. */
  page?: number;
  /** When the text was requested, in epoch seconds. */
  seenAt?: number;
  /** Describes JSON of another form. */
  template?: Template;
}

/**
 * The parser of each page and feed, by name. Takes the text and what it needs of the context; throws a
 * UnparseablePageError. Readings consist of JSON values, since they are passed between processes.
 */
const parsers = {
  home: (html, context) => pageReaders.homepage(html, described('homepage', context), context),
  game: (html, context) => pageReaders.titles(html, described('titles', context), context),
  gameWithBoards: (html, context) =>
    readTitleBoards(html, described('titles', context), described('leaderboards', context), context),
  board: (html, context) => pageReaders.leaderboards(html, described('leaderboards', context), context),
  siteCounts: readSiteCounts,
  gameData: readGame,
  boardEntries: readBoardEntries,
  events: readEvents,
  players: readPlayers,
  pastSlots: readPastSlots,
  pastDays: readPastDays,
  pastBoards: readPastBoards,
  pastPlayers: readPastPlayers,
} satisfies Record<string, (text: string, context: ParseContext) => unknown>;

const descriptions = new Map<string, unknown>();
const MAX_DESCRIPTIONS = 100;

/** Descriptions are few, and merging them takes longer than reading a small page. */
function described<Source extends HtmlSource>(source: Source, { sources }: ParseContext): PageDescriptions[Source] {
  const key = `${source} ${sources === undefined ? '' : JSON.stringify(sources)}`;
  let description = descriptions.get(key);
  if (description === undefined) {
    description = descriptionOf(source, sources);
    if (descriptions.size >= MAX_DESCRIPTIONS) descriptions.clear();
    descriptions.set(key, description);
  }
  return description as PageDescriptions[Source];
}

/** `icon` reads bytes, all others text. */
export type ParserName = keyof typeof parsers | 'icon';
export type ReadingOf<Name extends ParserName> = Name extends keyof typeof parsers
  ? ReturnType<(typeof parsers)[Name]>
  : IconReading;

export type PageBody = string | Uint8Array;

export interface ParseTask extends ParseContext {
  parser: ParserName;
  body: PageBody;
}

export type TextTask = Omit<ParseTask, 'body' | 'parser'> & { parser: keyof typeof parsers };

/** Parses a text, or the JSON that a template makes of it. */
export function parseText({ parser, template, ...context }: TextTask, text: string): unknown {
  const read: (text: string, context: ParseContext) => unknown = parsers[parser];
  return read(
    template === undefined ? text : JSON.stringify(project(template, parseFeed(text, parser === 'boardEntries'))),
    context,
  );
}

/** The reading is JSON, the format in which it is cached. */
export type ParseResult =
  | { kind: 'read'; json: string }
  | { kind: 'unparseable'; reason: string; isFinal: boolean }
  | { kind: 'fault'; message: string };

/**
 * Parses a page or a feed.
 *
 * Rejects with a UnparseablePageError; final when parsing exceeded its time or memory limit.
 */
export type Parse = <Name extends ParserName>(
  parser: Name,
  body: PageBody,
  context?: ParseContext,
) => Promise<ReadingOf<Name>>;

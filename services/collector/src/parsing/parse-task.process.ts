import type { PageBody } from '../network/page-readers.ts';
import type { parsers } from './parsers.process.ts';

export type ParserName = keyof typeof parsers;
export type ReadingOf<Name extends ParserName> = ReturnType<(typeof parsers)[Name]>;

export interface ParseTask {
  parser: ParserName;
  body: PageBody;
  baseUrl: string;
}

/** The reading is JSON, the format in which it is cached. */
export type ParseResult =
  | { kind: 'read'; json: string }
  | { kind: 'not-understood'; reason: string; isFinal: boolean }
  | { kind: 'fault'; message: string };

/**
 * Parses a page or a feed; `baseUrl` resolves relative URLs.
 *
 * Rejects with a PageNotUnderstoodError; final when parsing exceeded its time or memory limit.
 */
export type Parse = <Name extends ParserName>(
  parser: Name,
  body: PageBody,
  baseUrl?: string,
) => Promise<ReadingOf<Name>>;

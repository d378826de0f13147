import type { PageBody } from '../../domain/page-readers.ts';
import type { parsers } from './parsers.ts';

export type ParserName = keyof typeof parsers;
export type ReadingOf<Name extends ParserName> = ReturnType<(typeof parsers)[Name]>;

export interface ParseTask {
  parser: ParserName;
  body: PageBody;
  baseUrl: string;
}

/** What it answers: the reading as JSON, as it is remembered. */
export type ParseAnswer =
  | { kind: 'read'; json: string }
  | { kind: 'not-understood'; reason: string; isFinal: boolean }
  | { kind: 'fault'; message: string };

/**
 * Parses a page or a feed; `baseUrl` is what relative addresses in it are relative to.
 *
 * Rejects with a PageNotUnderstoodError when it can't be read; final when that took too much time or memory.
 */
export type Parse = <Name extends ParserName>(
  parser: Name,
  body: PageBody,
  baseUrl?: string,
) => Promise<ReadingOf<Name>>;

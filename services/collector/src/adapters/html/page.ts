import { load, type CheerioAPI } from 'cheerio';
import { PageNotUnderstoodError } from '../../domain/page-failures.ts';
import { parseBounded } from './bounded-parser.ts';
import { isClosed } from './document.ts';
import { collectTexts, type TextOf } from './page-texts.ts';

/** A parsed page. */
export interface Page {
  $: CheerioAPI;
  textOf: TextOf;
}

/**
 * Parses a page that came whole.
 *
 * A page is whole when the parser itself came upon the closing tag of `<html>`: text that only looks like one, in an
 * attribute or a script, doesn't count. So a page that was cut anywhere before its end is refused, whatever was cut off.
 *
 * @throws PageNotUnderstoodError for a page that was cut, is no HTML document, or is nested beyond reason
 */
export function loadWholePage(html: string): Page {
  const document = parseBounded(html);
  const textOf = collectTexts(document);
  const $ = load(document);
  const root = $('html').get(0);
  if (root === undefined || !isClosed(root)) throw new PageNotUnderstoodError('it ends before </html>');
  return { $, textOf };
}

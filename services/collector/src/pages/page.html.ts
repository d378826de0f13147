import { load, type CheerioAPI } from 'cheerio';
import { PageNotUnderstoodError } from '../network/page-failures.ts';
import { parseBounded } from './bounded-parser.html.ts';
import { isClosed } from './document.html.ts';
import { collectTexts, type TextOf } from './page-texts.html.ts';

export interface Page {
  $: CheerioAPI;
  textOf: TextOf;
}

/**
 * A page is whole when the parser itself met the closing tag of `<html>`: a truncated page is refused.
 *
 * @throws PageNotUnderstoodError for a page that is truncated, not HTML, or exceeds the parser's bounds
 */
export function loadWholePage(html: string): Page {
  const document = parseBounded(html);
  const textOf = collectTexts(document);
  const $ = load(document);
  const root = $('html').get(0);
  if (root === undefined || !isClosed(root)) throw new PageNotUnderstoodError('it ends before </html>');
  return { $, textOf };
}

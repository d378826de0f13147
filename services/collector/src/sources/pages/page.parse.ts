import { load, type CheerioAPI } from 'cheerio';
import { UnparseablePageError } from '../../network/page-failures.ts';
import type { RatingRule } from '../descriptions/source-description.ts';
import { isClosed } from './document.parse.ts';
import { readVisibleText, type Marks, type VisibleText } from './text.parse.ts';

export interface Page {
  $: CheerioAPI;
  text: VisibleText;
}

/** A reader needs this besides the page and its description. */
export interface PageContext {
  /** Base of relative picture URLs. */
  baseUrl?: string | undefined;
  /** The number of the page, from 1. */
  page?: number | undefined;
  rule?: RatingRule | undefined;
}

/**
 * A page is whole when the parser itself met the closing tag of `<html>`: a truncated page is refused. The time and memory of hostile pages
 * are bounded by the process that parses them.
 *
 * @param marks which elements are hidden, ignored and kept
 * @throws UnparseablePageError for a page that is truncated or not HTML
 */
export function loadWholePage(html: string, marks: Marks): Page {
  const $ = load(html, { sourceCodeLocationInfo: true });
  const root = $('html').get(0);
  if (root === undefined || !isClosed(root)) throw new UnparseablePageError('it ends before </html>');
  return { $, text: readVisibleText($, marks) };
}

export function isSelector(text: string): boolean {
  try {
    load('')(text);
    return true;
  } catch {
    return false;
  }
}

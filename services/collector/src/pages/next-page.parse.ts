import { UnparseablePageError } from '../network/page-failures.ts';
import { parentElement, type Element } from './document.parse.ts';
import { asciiDigits } from './digits.ts';
import type { Page } from './page.parse.ts';

const NEXT_WORD = /^(?:next(?: page)?)?\s*[›»→>⟩❯]*$/i;
const MORE_WORD = /^(?:load|show|view) more\b|^more(?: results| entries| players)?$/i;
const DISABLED = /(?:^|\s)(?:\S+-)?disabled(?:\s|$)/;
/** `Showing 1 to 10 of 57 entries`, `1-10 of 57`, `Page 1 of 3`. */
const SHOWN_ROWS = /\b([\d,.]+) ?(?:to|-|–) ?([\d,.]+) of ([\d,.]+)\b/i;
const SHOWN_PAGE = /\bpage (\d+) (?:of|\/) (\d+)\b/i;

/**
 * Whether a page links to the next one.
 *
 * @throws UnparseablePageError when it has a next page that no link leads to: a script loads it, and the rows of this page
 *   alone are not the whole list
 */
export function hasNextPage(page: Page): boolean {
  const { $, text } = page;
  const links = $('a, button')
    .toArray()
    .filter((link) => text.isVisible(link));
  if (links.some((link) => relOf(link).includes('next') && !isDisabled(link))) return true;
  const next = links.filter(
    (link) => !relOf(link).includes('prev') && announcesNext(link, text.fullTextOf(link)) && !isDisabled(link),
  );
  if (next.some(({ attribs }) => /[?&]page=\d+/.test(attribs['href'] ?? ''))) return true;
  const pages = numberedPages(links, text);
  const current = Number(currentPage(page));
  if (pages.some((number) => number > current)) return true;
  const hasMore = links.some((link) => MORE_WORD.test(text.fullTextOf(link)));
  if (
    next.length > 0 ||
    hasMore ||
    listsNumbers(links, text, Number.isNaN(current) ? 1 : current) ||
    (pages.length > 0 && Number.isNaN(current)) ||
    text.lines.some((line) => announcesMore(line.text))
  ) {
    throw new UnparseablePageError('its next page has no link: a script loads it');
  }
  return false;
}

/** Numbers of the pages that links lead to and are named by. */
function numberedPages(links: readonly Element[], text: Page['text']): number[] {
  return links.flatMap((link) => {
    const words = asciiDigits(text.fullTextOf(link));
    const [, number] = /[?&]page=(\d{1,9})\b/.exec(link.attribs['href'] ?? '') ?? [];
    return number !== undefined && number === words ? [Number(number)] : [];
  });
}

/** Whether numbers outside of the rows go on after the current one: pages that a script loads. */
function listsNumbers(links: readonly Element[], text: Page['text'], current: number): boolean {
  const numbers = new Set<number>();
  for (const link of links) {
    const words = asciiDigits(text.fullTextOf(link));
    if (/^\d{1,4}$/.test(words) && !isInRow(link)) numbers.add(Number(words));
  }
  return numbers.has(current + 1) && (numbers.has(current) || numbers.has(current + 2));
}

/** The number that a list of pages marks as the current one. */
function currentPage({ $, text }: Page): string | undefined {
  const marked = $('[aria-current="page"], .active, .current').toArray();
  return marked.map((element) => asciiDigits(text.fullTextOf(element))).find((words) => /^\d{1,9}$/.test(words));
}

const MAX_LEVELS = 12;

/** Whether it is in a row of data: ranks are links, too. */
function isInRow(link: Element): boolean {
  let element: Element | undefined = link;
  for (let level = 0; element !== undefined && level < MAX_LEVELS; level += 1) {
    if (element.name === 'tfoot') return false;
    if (element.name === 'tbody' || element.attribs['role'] === 'row') return true;
    element = parentElement(element);
  }
  return false;
}

function relOf({ attribs }: Element): string[] {
  return (attribs['rel'] ?? '').toLowerCase().split(/\s+/);
}

function announcesNext({ attribs }: Element, words: string): boolean {
  const label = attribs['aria-label']?.trim() ?? '';
  if (label !== '') return /^next(?: page)?(?: [›»→>])?$/i.test(label);
  return words !== '' && NEXT_WORD.test(words);
}

function isDisabled(link: Element): boolean {
  const parent = parentElement(link);
  return [link, ...(parent === undefined ? [] : [parent])].some(
    ({ attribs }) =>
      attribs['disabled'] !== undefined || attribs['aria-disabled'] === 'true' || DISABLED.test(attribs['class'] ?? ''),
  );
}

function announcesMore(text: string): boolean {
  const line = asciiDigits(text);
  const [, from = '', to = '', all = ''] = SHOWN_ROWS.exec(line) ?? [];
  const [first = 0, last = 0, total = 0] = [from, to, all].map((text) => Number(text.replace(/\D/g, '')));
  if (first === 1 && last < total) return true;
  const [, page, pages] = SHOWN_PAGE.exec(line) ?? [];
  return page !== undefined && Number(page) < Number(pages);
}

import { isElement, parentElement, type Element, type Node } from './document.parse.ts';
import type { Page } from './page.parse.ts';
import { lineOf, refuse, type Path } from './refusal.ts';
import type { Table } from './tables.parse.ts';
import { linesOf, selectorOf, textOf } from './text.parse.ts';
import { asciiDigits } from './values.ts';
import type { Paging } from '../network/source-description.ts';

const NEXT =
  /^(?:(?:go to |to )?(?:the )?next(?: page)?|weiter|nächste(?: seite)?|suivante?|page suivante|siguiente|próxim[ao]|avanti|successiva|volgende|nästa|neste|dalej|następna|далее|вперёд|следующая|次へ|次|下一页|older|ältere)?\s*[›»→>⟩❯▶]*$/iu;
const MORE =
  /^(?:load|show|view|see) (?:more|all|the (?:next|rest))\b|^(?:more|mehr|weitere|plus|más|altri|meer|mais|więcej|ещё|もっと)(?: (?:results|entries|players|rows|games|sessions|anzeigen|laden))?(?:…|\.\.\.)?$/iu;
const DISABLED = /(?:^|\s)(?:\S+-)?disabled(?:\s|$)/;
/** `1 to 10 of 57`, `1-10 of 57`, `Page 1 of 3`, `Page 1/3`. */
const SHOWN_ROWS = /(?:^|\s)([\d,.]+) ?(?:to|through|bis|-|–|\.\.\.?|…) ?([\d,.]+) (?:of|out of|von|\/) ([\d,.]+)\b/i;
/** `Showing 3 of 57 games`. */
const SHOWN_COUNT =
  /\b([\d,.]+) (?:of|out of|von|\/) ([\d,.]+) (?:\p{L}+ )?(?:games|titles|entries|results|rows|players|records|scores|sessions|matches|lobbies)\b/iu;
/** `3 of 57` and `and 54 more`, below a table of 3 rows. */
const SHOWN_OF = /\b([\d,.]+) (?:of|out of|von|de|sur|di|van) ([\d,.]+)\b/i;
const SHOWN_REST = /\b[\d,.]+ more\b/i;
const SHOWN_PAGE = /\b(?:page|seite) ?(\d+) ?(?:of|from|von|\/) ?(\d+)\b/i;
const PAGE_PARAMETER =
  /^\?\w+=(\d{1,4})$|[?&](?:p|pg|page|pageno|page_?num(?:ber)?|pn|seite|offset|start|skip|from|cursor|after)=(\d+)\b|\/page\/(\d+)\b/i;

/**
 * Whether another page follows.
 *
 * @param table whose section is looked at
 * @throws UnparseablePageError for a sign of more pages that the description neither follows nor names as none
 */
export function hasMorePages(
  page: Page,
  table: Pick<Table, 'element' | 'around' | 'reach'>,
  {
    paging,
    path,
    number = 1,
    rows,
  }: { paging: Paging | undefined; path: Path; number?: number | undefined; rows: number },
): boolean | 'perhaps' {
  if (typeof paging === 'object' && 'rows' in paging) {
    if (rows > paging.rows)
      refuse(`it has ${rows} rows, more than a whole page`, lineOf([...path, 'pages', 'rows'], rows));
    return rows === paging.rows && 'perhaps';
  }
  const { $, text } = page;
  const isNext =
    typeof paging === 'object' &&
    $(paging.next)
      .toArray()
      .filter(isElement)
      .some((link) => text.isVisible(link) && !isDisabled(link));
  if (isNext) return true;
  const stated = statedMorePages(page, table, number, rows);
  const sign = paging === 'none' ? undefined : linkToMorePages(page, table, number);
  if (stated === undefined && sign === undefined) return false;
  return refuse(
    `it seems to have more pages: ${stated ?? sign?.text ?? ''}`,
    ...(path[0] === 'leaderboards' ? [lineOf([...path, 'pages', 'next'], sign?.link ?? 'SELECTOR OF THE LINK')] : []),
    ...(stated === undefined ? [lineOf([...path, 'pages'], 'none')] : []),
  );
}

/** What makes a link the next one: its label, picture or text. Its class may be that of all links to pages. */
function nextSelectorOf($: Page['$'], link: Element): string {
  const named = ({ attribs }: Element, names: readonly string[]) =>
    names.filter((name) => (attribs[name] ?? '') !== '').map((name) => `[${name}=${JSON.stringify(attribs[name])}]`)[0];
  const picture = $(link).find(':scope img').toArray().find(isElement);
  const own = named(link, ['rel', 'aria-label', 'title', 'value']);
  const pictured = picture && named(picture, ['alt', 'src']);
  const text = $(link).text().trim();
  if (own !== undefined) return link.name + own;
  if (pictured !== undefined) return `${link.name}:has(img${pictured})`;
  return /\p{L}|[›»→>]/u.test(text) ? `${link.name}:contains(${JSON.stringify(text)})` : 'SELECTOR';
}

/** What leads to more rows on other pages: links and buttons in a section, and pagers of a page with one table. */
function linkToMorePages(
  { $, text }: Page,
  { element: table, around, reach }: Pick<Table, 'element' | 'around' | 'reach'>,
  number: number,
): { text: string; link?: string } | undefined {
  const isIn = (element: Element, { start, end }: Table['around']) => {
    const span = text.spanOf(element);
    return span !== undefined && span.start >= start && span.end <= end;
  };
  const links = $('a, button, [role=button], input[type=submit], input[type=button]')
    .toArray()
    .filter(isElement)
    .filter((element) => isIn(element, reach) && !isInRowOf(table, element));
  const numbers = new Set<number>();
  for (const element of links) {
    if (isDisabled(element)) continue;
    const labels = labelsOf($, element, text.fullTextOf(element));
    const { rel = '', href = '' } = element.attribs;
    const shown = labels[0] ?? '';
    if (/(?:^|\s)next(?:\s|$)/i.test(rel)) return { text: `a link with rel="next"`, link: nextSelectorOf($, element) };
    if (/(?:^|\s)prev/i.test(rel)) continue;
    const [, ...pages] = PAGE_PARAMETER.exec(href) ?? [];
    const linked = Number(pages.join(''));
    if (linked === number + 1) return { text: `a link to ${href.slice(0, 100)}`, link: nextSelectorOf($, element) };
    // Elsewhere on the page, a label may be about other things.
    if (!isIn(element, around)) continue;
    if (labels.some((label) => label !== '' && (NEXT.test(label) || MORE.test(label))))
      return { text: `"${labels.find((label) => label !== '') ?? ''}"`, link: nextSelectorOf($, element) };
    if (linked > number) return { text: `a link to ${href.slice(0, 100)}`, link: nextSelectorOf($, element) };
    const named = Number(/^(?:page|seite|página|pagina) (\d{1,4})$/i.exec(asciiDigits(shown))?.[1]);
    if (named > number) return { text: `"${shown}"`, link: nextSelectorOf($, element) };
    if (/^\d{1,4}$/.test(asciiDigits(shown))) numbers.add(Number(asciiDigits(shown)));
    if (/^\d+ ?[-–] ?\d+$/.test(shown) && Number(/\d+$/.exec(shown)) > number) numbers.add(number + 1);
  }
  if (numbers.has(number + 1)) return { text: 'links with the numbers of pages' };
  const loading = $('[hx-get], [data-next-page], [data-next-url], [data-load-more]')
    .toArray()
    .find((element) => isIn(element, around));
  return loading && { text: `an element that loads more rows (${selectorOf(loading)})` };
}

/** What says how many rows or pages there are besides those of this page. */
function statedMorePages(
  { $, text }: Page,
  { element: table, reach: { start, end } }: Pick<Table, 'element' | 'reach'>,
  number: number,
  rows: number,
): string | undefined {
  const outside = text.runs.slice(start, end).filter(({ node: { parent } }) => !isInRowOf(table, parent));
  for (const line of linesOf(outside).map((runs) => textOf(runs).slice(0, 200))) {
    const shown = asciiDigits(line);
    const [, , last = '', all = ''] = SHOWN_ROWS.exec(shown) ?? [];
    const [, some = '', most = ''] = SHOWN_COUNT.exec(shown) ?? [];
    const [, part = '', whole = ''] = SHOWN_OF.exec(shown) ?? [];
    const [, page, pages] = SHOWN_PAGE.exec(shown) ?? [];
    const isPart = countOf(part) === rows && rows < countOf(whole);
    const isMore = countOf(last) < countOf(all) || countOf(some) < countOf(most) || isPart || SHOWN_REST.test(shown);
    if (isMore || Number(page) < Number(pages)) return `"${line}"`;
  }
  for (const select of $('select').toArray()) {
    const place = text.spanOf(select)?.start ?? -1;
    const options = $(select)
      .find(':scope option')
      .toArray()
      .map((option) => asciiDigits($(option).text().trim()).replace(/^(?:page|seite) /i, ''));
    const arePages =
      options.length > 1 && options.every((option, index) => option.split(/ (?:of|\/) /)[0] === String(index + 1));
    if (place >= start && place <= end && arePages && number < options.length)
      return `a list of the pages 1 to ${options.length}`;
  }
  return undefined;
}

function labelsOf($: Page['$'], element: Element, shown: string): string[] {
  const { attribs } = element;
  const alts = $(element)
    .find(':scope :is(img, svg)')
    .toArray()
    .flatMap(({ attribs: of }) => [of['alt'] ?? '', of['aria-label'] ?? '', of['title'] ?? '']);
  return [shown, attribs['aria-label'] ?? '', attribs['title'] ?? '', attribs['value'] ?? '', ...alts].map((label) =>
    label.trim(),
  );
}

function countOf(digits: string): number {
  return Number(digits.replace(/\D/g, ''));
}

/** Whether it is in a row of data: ranks are links, too. */
function isInRowOf(table: Element, node: Node | null): boolean {
  for (let element = node; element !== null; element = element.parent) {
    if (isElement(element) && (element.name === 'tfoot' || element.name === 'caption')) return false;
    if (element === table) return true;
  }
  return false;
}

function isDisabled(link: Element): boolean {
  const parent = parentElement(link);
  return [link, ...(parent === undefined ? [] : [parent])].some(
    ({ attribs }) =>
      attribs['disabled'] !== undefined || attribs['aria-disabled'] === 'true' || DISABLED.test(attribs['class'] ?? ''),
  );
}

import { isElement, parentElement, type Element, type Node } from './document.parse.ts';
import type { Page } from './page.parse.ts';
import { lineOf, refuse, type Path } from './refusal.ts';
import type { Table } from './tables.parse.ts';
import { linesOf, selectorOf, textOf } from './text.parse.ts';
import type { Paging } from '../descriptions/source-description.ts';

/** What links and buttons to further rows say: next, more, or a range of ranks. */
const FURTHER = [
  /^(?:(?:go to |to )?(?:the )?next(?: page)?|weiter|nächste(?: seite)?|suivante?|page suivante|siguiente|próxim[ao]|avanti|successiva|volgende|nästa|neste|dalej|następna|далее|вперёд|следующая|次へ|次|下一页|older|ältere)?\s*[›»→>⟩❯▶]*$/iu,
  /^(?:load|show|view|see) (?:more|all|(?:the )?(?:next|rest|full|complete))\b|^next \d+\b|^(?:full|complete) (?:list|table|ranking|leaderboard)\b/iu,
  /^(?:more|mehr|weitere|plus|más|altri|meer|mais|więcej|ещё|もっと)(?: (?:results|entries|players|rows|games|sessions|anzeigen|laden))?(?:…|\.\.\.)?$/iu,
  /^\d+ ?[-–] ?\d+$/,
];
const FURTHER_CLASS = /(?:^|[\s_-])(?:next|more|(?:arrow|angle|caret|chevron)s?-right)(?:[\s_-]|$)/i;
const NUMBER_OF_PAGE = /^(?:(?:page|seite|página|pagina) )?(\d{1,4})$/i;
const PAGE_PARAMETER =
  /^\?\w+=(\d{1,4})$|[?&](?:p|pg|page|pageno|page_?num(?:ber)?|pn|seite|offset|start|skip|from|cursor|after)=(\d+)\b|\/page\/(\d+)\b/i;
const DISABLED = /(?:^|\s)(?:\S+-)?disabled(?:\s|$)/;
/** `1 to 10 of 57`, `Showing 3 of 57 games`, `Page 1 of 3`, `Page 1/3`. */
const PART_OF =
  /(?:^|[^\d,.])([\d,.]+) (?:of|out of|von|de|sur|di|van) ([\d,.]+)|(?:page|seite|to|bis|[-–]) ?([\d,.]+) ?\/ ?([\d,.]+)/i;
/** `57 entries`, `Total entries: 57`. */
const IN_ALL =
  /^(?:total:? )?([\d,.]+) (?:entries|results|rows|records)(?: in total)?$|^(?:total )?(?:entries|results|rows|records): ([\d,.]+)$/i;
const REST = /\b[\d,.]+ more\b/i;

/**
 * Whether another page follows.
 *
 * @param table whose section is looked at
 * @throws UnparseablePageError for a sign of more pages that the description neither follows nor names as none
 */
export function hasMorePages(
  page: Page,
  table: Table,
  {
    paging,
    path,
    number = 1,
    rows,
  }: { paging: Paging | undefined; path: Path; number?: number | undefined; rows: number },
): boolean | 'perhaps' {
  const { $, text } = page;
  const isNext =
    typeof paging === 'object' &&
    'next' in paging &&
    $(paging.next)
      .toArray()
      .filter(isElement)
      .some((link) => text.spanOf(link) !== undefined && !isDisabled(link));
  if (isNext) return true;
  const stated = statedMorePages(page, table, number);
  const sign = paging === 'none' ? undefined : linkToMorePages(page, table, number);
  const isSigned = stated !== undefined || sign !== undefined;
  if (typeof paging === 'object' && 'rows' in paging) {
    if (rows > paging.rows)
      refuse(`it has ${rows} rows, more than a whole page`, lineOf([...path, 'pages', 'rows'], rows));
    return rows > 0 && (isSigned || rows === paging.rows) && 'perhaps';
  }
  if (!isSigned) return false;
  return refuse(
    `it seems to have more pages: ${stated ?? sign ?? ''}`,
    ...(path[0] === 'leaderboards' ? [lineOf([...path, 'pages', 'next'], 'SELECTOR OF THE LINK')] : []),
    ...(stated === undefined ? [lineOf([...path, 'pages'], 'none')] : []),
  );
}

/** What leads to more rows on other pages: links and buttons in a section, and pagers of a page with one table. */
function linkToMorePages(
  { $, text }: Page,
  { element: table, around, reach }: Table,
  number: number,
): string | undefined {
  const isIn = (element: Element, { start, end }: Table['around']) => {
    const span = text.spanOf(element);
    return span !== undefined && span.start >= start && span.end <= end;
  };
  const links = $('a, button, [role=button], [onclick], input:is([type=submit], [type=button], [type=image])')
    .toArray()
    .filter((element) => isIn(element, reach) && !isInRowOf(table, element) && !isDisabled(element));
  for (const element of links) {
    const { rel = '', href = '' } = element.attribs;
    if (/(?:^|\s)prev/i.test(rel)) continue;
    const linked = Number(PAGE_PARAMETER.exec(href)?.slice(1).join(''));
    const parts = [element, ...$(element).find(':scope :is(i, span, img, svg)').toArray()];
    const label =
      labelsOf(parts, text.textOf(element)).find(
        (each) =>
          Number(NUMBER_OF_PAGE.exec(each)?.[1]) === number + 1 || FURTHER.some((further) => further.test(each)),
      ) ??
      parts
        .map(({ attribs }) => `${attribs['id'] ?? ''} ${attribs['class'] ?? ''}`.trim())
        .find((each) => FURTHER_CLASS.test(each));
    // Elsewhere on the page, a label may be about other things.
    const isHere = isIn(element, around) && (label !== undefined || linked > number);
    if (!isHere && linked !== number + 1 && !/(?:^|\s)next(?:\s|$)/i.test(rel)) continue;
    return label === undefined ? `a link to ${href.slice(0, 100)}` : `"${label}"`;
  }
  if (reach.end === text.runs.length && $('link[rel~="next" i]').length > 0) return 'a link of its head';
  const loading = $('[hx-get], [data-next-page], [data-next-url], [data-load-more]')
    .toArray()
    .find((element) => isIn(element, around));
  return loading && `an element that loads more rows (${selectorOf(loading)})`;
}

/** What says how many rows or pages there are besides those of this page. */
function statedMorePages(
  { $, text }: Page,
  { element: table, rows, reach: { start, end } }: Table,
  number: number,
): string | undefined {
  const outside = text.runs.slice(start, end).filter(({ node: { parent } }) => !isInRowOf(table, parent));
  for (const line of linesOf(outside).map((runs) => textOf(runs).slice(0, 200))) {
    const digits = PART_OF.exec(line)?.slice(1).join(' ').trim().split(' ') ?? [];
    const all = number === 1 ? IN_ALL.exec(line)?.slice(1).join('') : undefined;
    const [part = 0, whole = 0] = (all === undefined ? digits : [String(rows.length), all]).map((each) =>
      Number(each.replace(/\D/g, '')),
    );
    if (part < whole || REST.test(line)) return `"${line}"`;
  }
  for (const select of $('select').toArray()) {
    const place = text.spanOf(select)?.start ?? -1;
    const options = $(select)
      .find(':scope option')
      .toArray()
      .map(
        (option) =>
          NUMBER_OF_PAGE.exec(
            $(option)
              .text()
              .trim()
              .split(/ (?:of|\/) /)[0] ?? '',
          )?.[1],
      );
    const arePages = options.length > 1 && options.every((option, index) => option === String(index + 1));
    if (place >= start && place <= end && arePages && number < options.length)
      return `a list of the pages 1 to ${options.length}`;
  }
  return undefined;
}

function labelsOf(parts: readonly Element[], shown: string): string[] {
  const named = parts.flatMap(({ attribs }) =>
    ['aria-label', 'title', 'value', 'alt'].map((name) => attribs[name] ?? ''),
  );
  return [shown, ...named].map((label) => label.trim()).filter((label) => label !== '');
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

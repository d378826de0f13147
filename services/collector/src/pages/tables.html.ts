import { childElements, parentElement, type Element } from './document.html.ts';
import type { TextOf } from './page-texts.html.ts';
import type { Page } from './page.html.ts';

export interface Cell {
  element: Element;
  text: string;
  span: number;
}

export interface Table {
  element: Element;
  /** Column headings in lower case, one per column; empty without a header row. */
  header: string[];
  /** Cells of each row, without header and footer rows and rows of nested tables. */
  rows: Cell[][];
}

export function tablesOf({ $, textOf }: Page): Table[] {
  const tables = new Map<Element, Table>();
  for (const element of $('table').toArray()) tables.set(element, { element, header: [], rows: [] });
  for (const row of $('tr').toArray()) {
    const table = tableAround(row, tables);
    const cells = childElements(row)
      .filter(({ name }) => name === 'td' || name === 'th')
      .map((element) => cellOf(element, textOf));
    if (table === undefined || cells.length === 0 || isIn(row, 'tfoot')) continue;
    if (!isHeader(row, cells)) table.rows.push(cells);
    else if (table.header.length === 0) table.header = wordsOf(cells);
  }
  return [...tables.values()];
}

export function columnOf({ header }: Table, word: RegExp): number | undefined {
  const index = header.findIndex((text) => word.test(text));
  return index === -1 ? undefined : index;
}

function tableAround(row: Element, tables: ReadonlyMap<Element, Table>): Table | undefined {
  let element = parentElement(row);
  while (element !== undefined && element.name !== 'table') element = parentElement(element);
  return element === undefined ? undefined : tables.get(element);
}

const MAX_SPAN = 50;

function cellOf(element: Element, textOf: TextOf): Cell {
  const span = Number(element.attribs['colspan']);
  return { element, text: textOf(element), span: span >= 1 && span <= MAX_SPAN ? Math.floor(span) : 1 };
}

function isHeader(row: Element, cells: Cell[]): boolean {
  return isIn(row, 'thead') || (cells.length > 1 && cells.every(({ element }) => element.name === 'th'));
}

function isIn(row: Element, section: 'thead' | 'tfoot'): boolean {
  return parentElement(row)?.name === section;
}

function wordsOf(cells: Cell[]): string[] {
  return cells.flatMap(({ text, span }) => [text.toLowerCase(), ...Array<string>(span - 1).fill('')]);
}

/** A notice instead of rows, such as "Nobody is playing". */
export const EMPTY_NOTICE = /^(?:there (?:are|is) )?(?:currently )?(?:no|nobody|none|no one)\b/i;

export function isNotice(row: Cell[]): boolean {
  const [cell] = row;
  return row.length === 1 && cell !== undefined && cell.span > 1 && EMPTY_NOTICE.test(cell.text);
}

const MAX_URL_LENGTH = 2048;

/** The absolute http(s) URL of a row's first image, or `""`. */
export function iconOf(row: Cell[], baseUrl: string): string {
  for (const { element } of row) {
    const picture = firstPicture(element);
    if (picture !== undefined)
      return toAbsoluteUrl(picture.attribs['src'] ?? picture.attribs['data-src'] ?? '', baseUrl);
  }
  return '';
}

function firstPicture(element: Element): Element | undefined {
  for (const child of childElements(element)) {
    const picture = child.name === 'img' ? child : firstPicture(child);
    if (picture !== undefined) return picture;
  }
  return undefined;
}

export function toAbsoluteUrl(address: string, baseUrl: string): string {
  if (address.trim() === '' || !URL.canParse(address, baseUrl)) return '';
  const { protocol, href } = new URL(address, baseUrl);
  return (protocol === 'http:' || protocol === 'https:') && href.length <= MAX_URL_LENGTH ? href : '';
}

import { normalizeHeading } from './headings.ts';
import { childElements, isElement, parentElement, walk, type Element } from './document.html.ts';
import type { Page } from './page.html.ts';
import { isPublicUrl } from './public-url.ts';

export interface Cell {
  element: Element;
  /** Visible text on one line, without badges. */
  text: string;
  /** The text of a cell of numbers; `undefined` when its digits come from several elements. */
  numbers: string | undefined;
  span: number;
}

export interface Table {
  element: Element;
  /** Column headings, normalized, one per column; empty without a header row. */
  header: string[];
  /** Cells of each visible row, without header and footer rows and rows of nested tables. A cell over several rows is in each. */
  rows: Cell[][];
}

const MAX_SPAN = 50;
const MAX_ROWSPAN = 10_000;

interface Building extends Table {
  /** Cells that go on in the next rows, by column. */
  carried: Map<number, { cell: Cell; rowsLeft: number }>;
  hasRows: boolean;
}

/** The visible tables of a page. */
export function tablesOf({ $, text }: Page): Table[] {
  const tables = new Map<Element, Building>();
  for (const element of $('table').toArray()) {
    if (text.isVisible(element)) {
      tables.set(element, { element, header: [], rows: [], carried: new Map(), hasRows: false });
    }
  }
  for (const row of $('tr').toArray()) {
    const table = tableAround(row, tables);
    if (table === undefined || !text.isVisible(row)) continue;
    const own = childElements(row)
      .filter((element) => (element.name === 'td' || element.name === 'th') && text.isVisible(element))
      .map((element) => cellOf(element, text));
    const cells = withCarried(own, table);
    if (own.length === 0 || isIn(row, 'tfoot')) continue;
    if (isHeader(row, own)) addHeader(table, headingsOf(cells), isIn(row, 'thead'));
    else if (!repeatsHeader(cells, table)) table.rows.push(cells);
    table.hasRows = table.rows.length > 0;
  }
  return [...tables.values()];
}

function tableAround(row: Element, tables: ReadonlyMap<Element, Building>): Building | undefined {
  let element = parentElement(row);
  while (element !== undefined && element.name !== 'table') element = parentElement(element);
  return element === undefined ? undefined : tables.get(element);
}

function cellOf(element: Element, text: Page['text']): Cell {
  const span = Number(element.attribs['colspan']);
  return {
    element,
    text: text.textOf(element),
    numbers: text.numbersOf(element),
    span: span >= 1 && span <= MAX_SPAN ? Math.floor(span) : 1,
  };
}

/** Inserts the cells of earlier rows that go on in this one. */
function withCarried(own: readonly Cell[], { carried }: Building): Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  const insertCarried = () => {
    for (let going = carried.get(column); going !== undefined; going = carried.get(column)) {
      cells.push(going.cell);
      going.rowsLeft -= 1;
      if (going.rowsLeft === 0) carried.delete(column);
      column += going.cell.span;
    }
  };
  const started: [number, { cell: Cell; rowsLeft: number }][] = [];
  for (const cell of own) {
    insertCarried();
    cells.push(cell);
    const rowsLeft = Math.min(Number(cell.element.attribs['rowspan'] ?? 1) - 1, MAX_ROWSPAN);
    if (rowsLeft > 0 && column < MAX_SPAN) started.push([column, { cell, rowsLeft }]);
    column += cell.span;
  }
  insertCarried();
  for (const [at, going] of started) carried.set(at, going);
  return cells;
}

function isHeader(row: Element, cells: readonly Cell[]): boolean {
  return isIn(row, 'thead') || (cells.length > 1 && cells.every(({ element }) => element.name === 'th'));
}

function isIn(row: Element, section: 'thead' | 'tfoot'): boolean {
  return parentElement(row)?.name === section;
}

/** The last of several header rows names the columns, unless it names fewer: a row of search fields. */
function addHeader(table: Building, headings: string[], isInHead: boolean): void {
  const named = (header: readonly string[]) => header.filter((heading) => heading !== '').length;
  const isNext = isInHead && !table.hasRows && named(headings) >= named(table.header);
  if (table.header.length === 0 || isNext) table.header = headings;
}

function headingsOf(cells: readonly Cell[]): string[] {
  return cells.flatMap(({ text, span }) => [normalizeHeading(text), ...Array<string>(span - 1).fill('')]);
}

function repeatsHeader(cells: readonly Cell[], { header }: Table): boolean {
  if (header.length < 2 || header.every((heading) => heading === '')) return false;
  const headings = headingsOf(cells);
  return headings.length === header.length && headings.every((heading, index) => heading === header[index]);
}

/** The row with each cell at its column. */
export function expandSpans(row: readonly Cell[]): (Cell | undefined)[] {
  return row.flatMap((cell) => [cell, ...Array<undefined>(cell.span - 1).fill(undefined)]);
}

/**
 * The table's headings and its rows. In a table without a header its first row may have the headings: then `fits` accepts
 * them.
 */
export function withHeadings<Columns>(
  { header, rows }: Table,
  fits: (header: readonly string[]) => Columns | undefined,
): { columns: Columns; rows: Cell[][] } | undefined {
  const [first = [], ...others] = rows;
  const columns = fits(header.length > 0 ? header : headingsOf(first));
  return columns && { columns, rows: header.length > 0 ? rows : others };
}

/** A notice instead of rows, such as "Nobody is playing", that asks for nothing. */
const EMPTY_NOTICE = /^(?:there (?:are|is) )?(?:currently )?(?:no|nobody|none|no one)\b[^?]*$/i;
const NOT_LOADED =
  /\b(?:load|refresh|reload|javascript|scripts?|enable|showing|wait|retry|error|fail|connection|unavailable)/i;
const INCOMPLETE = /load|wait|more\b|\bshow|\.\.\.|…/i;

function saysEmpty(text: string): boolean {
  return EMPTY_NOTICE.test(text) && !NOT_LOADED.test(text);
}

/**
 * The rows that hold data. A single cell over all columns is a heading, an advertisement or, alone in its table, a notice
 * that there are no rows. Undefined when rows may be missing: the table is empty without a notice, or says that more
 * rows come.
 */
export function dataRowsOf(rows: readonly Cell[][]): Cell[][] | undefined {
  const [across, data]: [Cell[], Cell[][]] = [[], []];
  for (const row of rows) {
    const [cell] = row;
    if (cell !== undefined && row.length === 1 && cell.span > 1) across.push(cell);
    else data.push(row);
  }
  if (data.length === 0) return across.length === 1 && saysEmpty(across[0]?.text ?? '') ? [] : undefined;
  return across.some((cell) => /\d/.test(cell.text) || INCOMPLETE.test(cell.text)) ? undefined : data;
}

const MAX_URL_LENGTH = 2048;

/** The absolute http(s) URL of a row's first image, or `""`. Images of rows before the title's own are its icon as well. */
export function iconOf(row: readonly Cell[], baseUrl: string): string {
  for (const { element } of row) {
    const pictures = picturesOf(element);
    const picture =
      pictures.find(({ parent }) => parent !== null && isElement(parent) && parent.name === 'a') ?? pictures[0];
    if (picture !== undefined) return sourceOf(picture, baseUrl);
  }
  return '';
}

/** Pages that load pictures late have the address in another attribute, and a placeholder as `src`. */
function sourceOf(picture: Element, baseUrl: string): string {
  for (const address of addressesOf(picture)) {
    const url = toAbsoluteUrl(address, baseUrl);
    if (url !== '') return url;
  }
  return '';
}

/** As it is written. */
export function addressOf(picture: Element): string {
  return addressesOf(picture).find((address) => address !== '') ?? '';
}

function addressesOf({ attribs }: Element): string[] {
  const late = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy'].map((name) => attribs[name] ?? '');
  const [fromSet = ''] = (attribs['srcset'] ?? attribs['data-srcset'] ?? '').trim().split(/[\s,]+/);
  return [...late, attribs['src'] ?? '', fromSet];
}

export function picturesOf(element: Element): Element[] {
  const pictures: Element[] = [];
  walk(element, {
    enter(node) {
      if (isElement(node) && node.name === 'img') pictures.push(node);
      return !isElement(node) || (node.name !== 'noscript' && node.name !== 'template');
    },
  });
  return pictures;
}

export function toAbsoluteUrl(address: string, baseUrl: string): string {
  if (address.trim() === '' || !URL.canParse(address, baseUrl)) return '';
  const url = new URL(address, baseUrl);
  const { protocol, href } = url;
  if (!isPublicUrl(url, new URL(baseUrl))) return '';
  return (protocol === 'http:' || protocol === 'https:') && href.length <= MAX_URL_LENGTH ? href : '';
}

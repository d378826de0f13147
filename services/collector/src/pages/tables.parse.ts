import { normalizeHeading } from './headings.ts';
import { isClosed, isElement, parentElement, tablePartOf, walk, type Element } from './document.parse.ts';
import type { Page } from './page.parse.ts';

export interface Cell {
  element: Element;
  /** Visible text on one line, without badges. */
  text: string;
  /** The same with badges. */
  readonly fullText: string;
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
  /** Why rows may be missing: the table is cut, or says that it has more than the page. */
  lack: string | undefined;
}

const MAX_SPAN = 50;
const MAX_ROWSPAN = 10_000;

interface Building extends Table {
  /** Cells that go on in the next rows, by column. */
  carried: Map<number, { cell: Cell; rowsLeft: number }>;
  hasRows: boolean;
  /** Rows of any kind, also hidden ones. */
  size: number;
}

const TABLES = 'table, [role="table"], [role="grid"], [role="treegrid"]';
const ROWS = 'tr, [role="row"]';

/** The visible tables of a page, of table elements or of others with the roles of a table. */
export function tablesOf({ $, text }: Page): Table[] {
  const tables = new Map<Element, Building>();
  for (const element of $(TABLES).toArray()) {
    if (!text.isVisible(element)) continue;
    const lack = isClosed(element) ? undefined : 'is not closed';
    tables.set(element, { element, header: [], rows: [], lack, carried: new Map(), hasRows: false, size: 0 });
  }
  for (const row of $(ROWS).toArray()) {
    const table = tableAround(row, tables);
    if (table === undefined) continue;
    table.size += 1;
    if (!text.isVisible(row)) continue;
    const own = cellsIn(row)
      .filter((element) => text.isVisible(element))
      .map((element) => cellOf(element, text));
    const cells = withCarried(own, table);
    if (own.length === 0 || isIn(row, 'tfoot')) continue;
    if (isHeader(row, own)) addHeader(table, headingsOf(cells), row.name !== 'tr' || isIn(row, 'thead'));
    else if (!repeatsHeader(cells, table)) table.rows.push(cells);
    table.hasRows = table.rows.length > 0;
  }
  for (const table of tables.values()) {
    const stated = Number(table.element.attribs['aria-rowcount'] ?? 0);
    if (stated < 0 || stated > table.size) table.lack ??= 'has more rows than the page: a script adds them';
  }
  return [...tables.values()];
}

/** Levels between a row and its table, or its cells, that group rows or lay them out. */
const MAX_LEVELS = 12;

function tableAround(row: Element, tables: ReadonlyMap<Element, Building>): Building | undefined {
  let element = parentElement(row);
  for (let level = 0; element !== undefined && level < MAX_LEVELS; level += 1) {
    if (tablePartOf(element) === 'table') return tables.get(element);
    element = parentElement(element);
  }
  return undefined;
}

/** The cells of a row; those of a row of other elements may be in boxes. */
function cellsIn(row: Element): Element[] {
  const cells: Element[] = [];
  walk(row, {
    enter(node) {
      if (node === row) return true;
      if (!isElement(node)) return false;
      const part = tablePartOf(node);
      if (part === 'cell' || part === 'heading') cells.push(node);
      return part === undefined && row.name !== 'tr';
    },
  });
  return cells;
}

function cellOf(element: Element, text: Page['text']): Cell {
  const span = Number(element.attribs['colspan'] ?? element.attribs['aria-colspan']);
  return {
    element,
    text: text.textOf(element),
    get fullText() {
      return text.fullTextOf(element);
    },
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
    const rowsLeft = Math.min(
      Number(cell.element.attribs['rowspan'] ?? cell.element.attribs['aria-rowspan'] ?? 1) - 1,
      MAX_ROWSPAN,
    );
    if (rowsLeft > 0 && column < MAX_SPAN) started.push([column, { cell, rowsLeft }]);
    column += cell.span;
  }
  insertCarried();
  for (const [at, going] of started) carried.set(at, going);
  return cells;
}

function isHeader(row: Element, cells: readonly Cell[]): boolean {
  return isIn(row, 'thead') || (cells.length > 1 && cells.every(({ element }) => tablePartOf(element) === 'heading'));
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

function isMarkedEmpty(text: string): boolean {
  return EMPTY_NOTICE.test(text) && !NOT_LOADED.test(text);
}

/**
 * The rows that hold data. A single cell over all columns is a heading, an advertisement or, alone in its table, a notice
 * that there are no rows. Such a notice may also be in a cell of one column. Undefined when rows may be missing: the table is empty without a notice, or says that more
 * rows come.
 */
export function dataRowsOf(rows: readonly Cell[][]): Cell[][] | undefined {
  const [across, data]: [Cell[], Cell[][]] = [[], []];
  for (const row of rows) {
    const [cell] = row;
    if (cell !== undefined && row.length === 1 && cell.span > 1) across.push(cell);
    else data.push(row);
  }
  if (data.length === 0) return across.length === 1 && isMarkedEmpty(across[0]?.text ?? '') ? [] : undefined;
  const [[only, ...others] = []] = data;
  // A single word may be a name whose other cells are missing.
  const isNotice =
    rows.length === 1 && others.length === 0 && only?.text.includes(' ') === true && isMarkedEmpty(only.text);
  if (isNotice) return [];
  return across.some((cell) => /\p{N}/u.test(cell.text) || INCOMPLETE.test(cell.text)) ? undefined : data;
}

import { isClosed, isElement, parentElement, tablePartOf, walk, type Element } from './document.parse.ts';
import type { Page } from './page.parse.ts';

export interface Cell {
  element: Element;
  /** Visible text on one line, without ignored elements. */
  text: string;
  span: number;
}

export interface Table {
  element: Element;
  /** The heading (`h2` to `h6`), caption, legend or line that looks like a heading before it; `""` for none. */
  section: string;
  /** The runs of the page from that heading to the next one. */
  around: { start: number; end: number };
  /** Where its pager may be: the same, or the whole page when it has no other table. */
  reach: { start: number; end: number };
  /** Headings as they are shown, one per column; empty without a header row. */
  headings: string[];
  /** Cells of each visible row, without header and footer rows and rows of nested tables. A cell over several rows is in each. */
  rows: Cell[][];
  /** Why rows may be missing: the table is cut, or says that it has more than the page. */
  lack: string | undefined;
}

const MAX_SPAN = 50;
const MAX_ROWSPAN = 10_000;
/** Levels between a row and its table that group rows or lay them out. */
const MAX_LEVELS = 12;

interface Building extends Table {
  /** Cells that go on in the next rows, by column. */
  carried: Map<number, { cell: Cell; rowsLeft: number }>;
  /** Rows of any kind, also hidden ones. */
  size: number;
}

/** The visible tables of a page, of table elements or of others with the roles of a table. */
export function tablesOf({ $, text }: Page): Table[] {
  const tables = new Map<Element, Building>();
  for (const each of sectionedTables({ $, text })) {
    const { element } = each;
    const lack = isClosed(element) ? undefined : 'is not closed';
    tables.set(element, { ...each, headings: [], rows: [], lack, carried: new Map(), size: 0 });
  }
  for (const row of $('tr, [role="row"]').toArray()) {
    const table = tableAround(row, tables);
    if (table === undefined) continue;
    table.size += 1;
    if (!text.isVisible(row)) continue;
    const own = cellsIn(row)
      .filter((element) => text.isVisible(element))
      .map((element) => cellOf(element, text));
    const cells = withCarried(own, table);
    if (own.length === 0 || parentElement(row)?.name === 'tfoot') continue;
    const isInHead = parentElement(row)?.name === 'thead';
    const isHeader = isInHead || (cells.length > 1 && cells.every(({ element }) => tablePartOf(element) === 'heading'));
    if (!isHeader) table.rows.push(cells);
    else addHeadings(table, headingsOf(cells), isInHead || row.name !== 'tr');
  }
  for (const table of tables.values()) {
    const stated = Number(table.element.attribs['aria-rowcount'] ?? 0);
    if (stated < 0 || stated > table.size) table.lack ??= 'has more rows than the page: a script adds them';
    table.rows = table.rows.filter((row) => !repeats(row, table.headings));
  }
  return [...tables.values()];
}

const TABLES = 'table, [role="table"], [role="grid"], [role="treegrid"]';
const HEADINGS = 'h2, h3, h4, h5, h6, caption, legend';
const HEADING = /^(?:h[2-6]|caption|legend)$/;
/** What looks like a heading without being one, when it is all of a line. */
const LIKE_HEADINGS =
  'summary, [role="heading"], [class*="-header"], [class*="-heading"], .h2, .h3, .h4, .h5, .h6, b, strong';
const WITHOUT_HEADINGS = /^(?:nav|header|footer|li|dl|h1)$/;
const MAX_HEADING_LENGTH = 100;

/** In document order, with the heading that each stands under. A heading has words: counters are often marked as headings. */
function sectionedTables({ $, text }: Page): Pick<Table, 'element' | 'section' | 'around' | 'reach'>[] {
  const found: Pick<Table, 'element' | 'section' | 'around'>[] = [];
  let [section, start, open]: [string, number, number] = ['', 0, 0];
  let line: { heading: string; end: number } | undefined;
  const endOpen = (end: number) => {
    for (const table of found.slice(open)) table.around.end = end;
    open = found.length;
  };
  for (const element of $(`${TABLES}, ${HEADINGS}, ${LIKE_HEADINGS}`).toArray()) {
    const span = text.spanOf(element);
    if (span === undefined) continue;
    if (tablePartOf(element) === 'table') {
      const nearest = line !== undefined && span.start < line.end ? line.heading : section;
      found.push({ element, section: nearest, around: { start, end: text.runs.length } });
      continue;
    }
    const heading = text.textOf(element);
    if (!/\p{L}{2}/u.test(heading)) continue;
    const parent = parentElement(element);
    if (!HEADING.test(element.name)) {
      if (isLine(element, span, heading)) line = { heading, end: endOfBox(element, span) };
      continue;
    }
    if (element.name === 'caption') {
      const table = found.find((each) => each.element === parent);
      if (table !== undefined) table.section = heading;
      continue;
    }
    endOpen(span.start);
    [section, start, line] = [heading, span.start, undefined];
  }
  const whole = { start: 0, end: text.runs.length };
  return found.map((table) => ({ ...table, reach: found.length === 1 ? whole : table.around }));

  /** Such a line is about the box that it stands in: a card, or `details`. */
  function endOfBox(element: Element, { start, end }: { start: number; end: number }): number {
    let box = parentElement(element);
    for (; box !== undefined && element.name !== 'summary'; box = parentElement(box)) {
      const span = text.spanOf(box);
      if (span?.start !== start || span.end !== end) break;
    }
    return (box && text.spanOf(box)?.end) ?? text.runs.length;
  }

  /** Whether it is a line of its own, that neither labels a number beside it nor has a value after its label. */
  function isLine(element: Element, { start, end }: { start: number; end: number }, heading: string): boolean {
    const [before, after] = [text.runs[start - 1], text.runs[end]];
    const isOwnLine = text.runs[start]?.before === '\n' && (after === undefined || after.before === '\n');
    const isCounter = [before, after].some((run) => run !== undefined && !/\p{L}/u.test(run.text));
    const isHeading = isOwnLine && !isCounter && heading.length <= MAX_HEADING_LENGTH && !/[:：]\s*\S/.test(heading);
    return isHeading && text.linesOf(element).length === 1 && mayHaveHeadings(element);
  }
}

function mayHaveHeadings(place: Element): boolean {
  for (let element: Element | undefined = place; element !== undefined; element = parentElement(element)) {
    if (WITHOUT_HEADINGS.test(element.name) || tablePartOf(element) === 'table') return false;
  }
  return true;
}

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
  return { element, text: text.textOf(element), span: span >= 1 && span <= MAX_SPAN ? Math.floor(span) : 1 };
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
    const { attribs } = cell.element;
    const rowsLeft = Math.min(Number(attribs['rowspan'] ?? attribs['aria-rowspan'] ?? 1) - 1, MAX_ROWSPAN);
    if (rowsLeft > 0 && column < MAX_SPAN) started.push([column, { cell, rowsLeft }]);
    column += cell.span;
  }
  insertCarried();
  for (const [at, going] of started) carried.set(at, going);
  return cells;
}

/** The last of several header rows names the columns, unless it names fewer: a row of search fields. */
function addHeadings(table: Building, headings: string[], isInHead: boolean): void {
  const named = (all: readonly string[]) => all.filter((heading) => heading !== '').length;
  const isNext = isInHead && table.rows.length === 0 && named(headings) >= named(table.headings);
  if (table.headings.length === 0 || isNext) table.headings = headings;
}

export function headingsOf(cells: readonly Cell[]): string[] {
  return cells.flatMap(({ text, span }) => [text, ...Array<string>(span - 1).fill('')]);
}

/** Long tables have their headings again between rows. */
function repeats(row: readonly Cell[], headings: readonly string[]): boolean {
  return (
    headings.length > 1 &&
    headings.some((heading) => heading !== '') &&
    headingsOf(row).join('\n') === headings.join('\n')
  );
}

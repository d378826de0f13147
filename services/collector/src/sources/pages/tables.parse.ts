import { isClosed, isElement, parentElement, type Element } from './document.parse.ts';
import type { Page } from './page.parse.ts';
import { normalize } from './values.ts';

export interface Cell {
  element: Element;
  /** Visible text on one line. */
  text: string;
}

/** The cell of each column; undefined where the cell before goes on. */
export type Row = (Cell | undefined)[];

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
  /** Each visible row, without header and footer rows. A cell over several rows is in each. */
  rows: Row[];
  /** Why rows may be missing: the table is cut, or says that it has more than the page. */
  lack: string | undefined;
}

const MAX_SPAN = 50;

/** The visible tables of a page. */
export function tablesOf(page: Page): Table[] {
  return sectionedTables(page).map((table) => ({ ...table, ...contentOf(table.element, page) }));
}

function contentOf(table: Element, { text }: Page): Pick<Table, 'headings' | 'rows' | 'lack'> {
  const all = rowsIn(table);
  const rows: Row[] = [];
  let header: Row = [];
  let carried: Carried = new Map();
  for (const element of all) {
    if (text.spanOf(element) === undefined) continue;
    const own = childrenOf(element, /^t[dh]$/).filter((cell) => text.spanOf(cell) !== undefined);
    const row = rowOf(own, carried, text);
    carried = row.carried;
    if (own.length === 0) continue;
    const isInHead = parentElement(element)?.name === 'thead';
    const isHeader = isInHead || (own.length > 1 && own.every(({ name }) => name === 'th'));
    // The last of several header rows names the columns, unless it names fewer: a row of search fields.
    if (isHeader && rows.length === 0 && (isInHead || header.length === 0)) {
      if (named(row.cells) >= named(header)) header = row.cells;
    } else rows.push(row.cells);
  }
  const stated = Number(table.attribs['aria-rowcount'] ?? 0);
  const lack = !isClosed(table)
    ? 'is not closed'
    : stated < 0 || stated > all.length
      ? 'has more rows than the page: a script adds them'
      : undefined;
  // Long tables have their headings again between rows.
  const repeated = header.length > 1 && named(header) > 0 ? keyOf(header) : undefined;
  const others = rows.filter((row) => keyOf(row) !== repeated);
  return { headings: headingsOf(header, others), rows: others, lack };
}

/** A heading over several columns is that of each that has a text. */
function headingsOf(header: Row, rows: readonly Row[]): string[] {
  let last = '';
  return header.map((cell, index) => {
    last = cell?.text ?? last;
    return cell !== undefined || rows.some((row) => (row[index]?.text ?? '') !== '') ? last : '';
  });
}

function keyOf(row: Row): string {
  return row.map((cell) => normalize(cell?.text ?? '')).join('\n');
}

function named(header: Row): number {
  return header.filter((cell) => cell !== undefined && cell.text !== '').length;
}

/** The rows of a table, hidden ones as well, without those of tables in it and of its footer. */
function rowsIn(table: Element): Element[] {
  return childrenOf(table, /^(?:tr|thead|tbody)$/).flatMap((part) =>
    part.name === 'tr' ? [part] : childrenOf(part, /^tr$/),
  );
}

function childrenOf(element: Element, name: RegExp): Element[] {
  return element.children.filter((child) => isElement(child) && name.test(child.name)) as Element[];
}

/** Cells that go on in the next row, by column. */
type Carried = Map<number, { cell: Cell; rows: number }>;

/** The cells of a row at their columns, with those of earlier rows that go on in it. */
function rowOf(own: readonly Element[], carried: Carried, text: Page['text']): { cells: Row; carried: Carried } {
  const cells: Row = [];
  const next: Carried = new Map();
  const place = (cell: Cell, rows: number) => {
    if (rows > 1) next.set(cells.length, { cell, rows: rows - 1 });
    cells.push(cell, ...Array<undefined>(Math.min(spanOf(cell.element, 'colspan'), MAX_SPAN) - 1).fill(undefined));
  };
  const placeCarried = () => {
    for (let at = carried.get(cells.length); at !== undefined; at = carried.get(cells.length)) place(at.cell, at.rows);
  };
  for (const element of own) {
    placeCarried();
    place({ element, text: text.textOf(element) }, spanOf(element, 'rowspan'));
  }
  placeCarried();
  return { cells, carried: next };
}

function spanOf({ attribs }: Element, name: 'colspan' | 'rowspan'): number {
  const span = Math.floor(Number(attribs[name] ?? 1));
  return span >= 1 ? span : 1;
}

const HEADINGS = 'h2, h3, h4, h5, h6, legend';
/** What looks like a heading without being one, when it is all of a line. */
const LIKE_HEADINGS =
  ':is(summary, [role="heading"], [class*="-header"], [class*="-heading"], .h2, .h3, .h4, .h5, .h6, b, strong)' +
  ':not(:is(nav, header, footer, li, dl, h1, table) *)';
const MAX_HEADING_LENGTH = 100;

/** In document order, with the heading that each stands under. */
function sectionedTables(page: Page): Pick<Table, 'element' | 'section' | 'around' | 'reach'>[] {
  const { $, text } = page;
  const sections = sectionsOf(page);
  const visible = $('table')
    .toArray()
    .flatMap((element) => ({ element, at: text.spanOf(element)?.start ?? -1 }))
    .filter(({ at }) => at >= 0);
  const whole = { start: 0, end: text.runs.length };
  return visible.map(({ element, at }) => {
    const [caption = ''] = childrenOf(element, /^caption$/).map((each) => text.textOf(each));
    const around = {
      start: sections.findLast(({ start, isHeading }) => isHeading && start < at)?.start ?? whole.start,
      end: sections.find(({ start, isHeading }) => isHeading && start >= at)?.start ?? whole.end,
    };
    const section = hasWord(caption) ? caption : headingAt(sections, at);
    return { element, section, around, reach: visible.length === 1 ? whole : around };
  });
}

/** A heading has words: counters are often marked as headings. */
function hasWord(heading: string): boolean {
  return /\p{L}{2}/u.test(heading);
}

/** What a heading is about: up to the next one, or to the end of the box that a line which looks like a heading is in. */
interface Section {
  heading: string;
  start: number;
  end: number;
  isHeading: boolean;
}

/** The heading that a run stands under; `""` for none. */
export function headingAt(sections: readonly Section[], at: number): string {
  return sections.findLast(({ start, end }) => start < at && at < end)?.heading ?? '';
}

export function sectionsOf({ $, text }: Page): Section[] {
  const headings = new Set($(HEADINGS).toArray());
  return $(`${HEADINGS}, ${LIKE_HEADINGS}`)
    .toArray()
    .flatMap((element): Section[] => {
      const span = text.spanOf(element);
      const heading = text.textOf(element);
      if (span === undefined || !hasWord(heading)) return [];
      const isHeading = headings.has(element);
      if (!isHeading && !isLine(element, span, heading)) return [];
      return [{ heading, start: span.start, end: isHeading ? Infinity : endOfBox(element, span), isHeading }];
    });

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
    return isHeading && text.linesOf(element).length === 1;
  }
}

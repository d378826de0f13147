import type { TableDescription } from '../network/source-description.ts';
import { isElement, type Element } from './document.parse.ts';
import type { Page } from './page.parse.ts';
import { lineOf, quote, refuse, type Path } from './refusal.ts';
import { headingsOf, tablesOf, type Cell, type Table } from './tables.parse.ts';
import { isOneOf, normalize } from './values.ts';

/** A table that fits a description, and where each field stands in its rows. */
export interface FoundTable<Field extends string> {
  table: Table;
  columns: Partial<Record<Field, number>>;
  /** Its headings; the names of its columns for a table without. */
  headings: readonly string[];
  /** Cells at their columns, as many as there are headings. */
  rows: (Cell | undefined)[][];
  /** Whether a notice says that there are no rows. */
  isEmpty: boolean;
}

export interface TableQuestion<Field extends string> {
  description: TableDescription<Field>;
  path: Path;
  /** How messages name the table. */
  name: string;
  required: readonly Field[];
  /** Fields of which the table has one at least. */
  oneOf?: readonly Field[] | undefined;
  /** Whether a page without it is refused. */
  isRequired?: boolean;
  /** Another table of the description. */
  except?: Element | undefined;
  /** Sets rows without headings apart from others. */
  isRow?: (row: (Cell | undefined)[], columns: Partial<Record<Field, number>>) => boolean;
}

/**
 * The one table that fits a description; undefined when none does.
 *
 * @throws UnparseablePageError when two tables fit, a heading stands twice, or a row has another number of cells
 */
export function findTable<Field extends string>(
  page: Page,
  question: TableQuestion<Field>,
): FoundTable<Field> | undefined {
  const { description, path, name } = question;
  const fitting = candidatesOf(page, description)
    .filter(({ element }) => element !== question.except)
    .flatMap((table) => fitOf(table, question) ?? []);
  const [found, other] = fitting;
  if (found === undefined) return undefined;
  if (other !== undefined) {
    const sections = fitting.map(({ table }) => table.section);
    const isTold = new Set(sections.map(normalize)).size === sections.length;
    refuse(
      `it has ${fitting.length} tables that may be its ${name}, below the headings ${quote(sections)}`,
      isTold
        ? lineOf([...path, 'section'], found.table.section)
        : lineOf([...path, 'selector'], 'SELECTOR OF THE TABLE'),
    );
  }
  if (found.table.lack !== undefined) refuse(`its ${name} ${found.table.lack}`);
  const { rows, isEmpty } = dataRowsOf(found, page, question);
  for (const [field, selector] of Object.entries(description.cells ?? {}) as [Field, string | undefined][]) {
    const column = found.columns[field];
    if (column === undefined || selector === undefined) continue;
    for (const row of rows) row[column] = within(page, row[column], selector);
  }
  return { ...found, rows, isEmpty };
}

/** The element of a cell that is its value. */
function within({ $, text }: Page, cell: Cell | undefined, selector: string): Cell | undefined {
  if (cell === undefined) return undefined;
  const [element, ...others] = $(cell.element)
    .find(`:scope :is(${selector})`)
    .toArray()
    .filter(isElement)
    .filter((each) => text.isVisible(each));
  if (element !== undefined && others.length === 0) return { element, text: text.textOf(element), span: 1 };
  return refuse(`the cell "${cell.text}" has ${others.length === 0 ? 'no' : 'several'} elements ${selector}`);
}

/** The tables that a description may mean: those of its section, and those that its selector fits if there are any. */
function candidatesOf<Field extends string>(page: Page, { section, selector }: TableDescription<Field>): Table[] {
  const tables = tablesOf(page).filter((table) => section === undefined || isOneOf(table.section, section));
  const marked = selector === undefined ? [] : tables.filter(({ element }) => page.$(element).is(selector));
  return marked.length > 0 ? marked : tables;
}

type Fit<Field extends string> = Omit<FoundTable<Field>, 'rows' | 'isEmpty'> & { data: Cell[][] };

function fitOf<Field extends string>(table: Table, question: TableQuestion<Field>): Fit<Field> | undefined {
  const { description, isRow } = question;
  const [first = [], ...others] = table.rows;
  const isHeaded = table.headings.length > 0;
  const headings = isHeaded ? table.headings : headingsOf(first);
  if (headings.some((heading) => heading !== '' && isOneOf(heading, description.without))) return undefined;
  const columns = columnsOf(headings, question);
  if (isComplete(columns, question)) {
    return { table, columns, headings, data: isHeaded ? table.rows : others };
  }
  const { order } = description;
  if (isHeaded || order === undefined) return undefined;
  const names = first.flatMap(({ span }, index) => [order[index] ?? '', ...Array<string>(span - 1).fill('')]);
  const ordered = Object.fromEntries(
    names.flatMap((field, index) => (field === '' ? [] : [[field, index]])),
  ) as typeof columns;
  const isFitting = order.every((field) => field === '' || ordered[field] !== undefined);
  if (!isFitting || (isRow !== undefined && !table.rows.some((row) => isRow(expandSpans(row), ordered))))
    return undefined;
  return { table, columns: ordered, headings: names, data: table.rows };
}

/** @throws UnparseablePageError for two headings of one field, in a table that has all required ones */
function columnsOf<Field extends string>(
  headings: readonly string[],
  question: TableQuestion<Field>,
): Partial<Record<Field, number>> {
  const { description, path, name } = question;
  const columns: Partial<Record<Field, number>> = {};
  const twice: [Field, string[]][] = [];
  for (const [field, spellings] of Object.entries(description.columns ?? {}) as [Field, string[] | string | null][]) {
    const indices = headings.flatMap((heading, index) => (isOneOf(heading, spellings) ? [index] : []));
    if (indices[0] !== undefined) columns[field] = indices[0];
    if (indices.length > 1) twice.push([field, indices.map((index) => headings[index] ?? '')]);
  }
  const [doubt] = twice;
  if (doubt !== undefined && isComplete(columns, question)) {
    const [field, found] = doubt;
    const isTold = new Set(found.map(normalize)).size === found.length;
    refuse(
      `the headings ${quote(found)} of its ${name} may both be "${field}"`,
      ...(isTold ? found.map((heading) => lineOf([...path, 'columns', field], heading)) : []),
    );
  }
  return columns;
}

function isComplete<Field extends string>(
  columns: Partial<Record<Field, unknown>>,
  { required, oneOf }: TableQuestion<Field>,
): boolean {
  const has = (field: Field) => columns[field] !== undefined;
  return required.every(has) && (oneOf === undefined || oneOf.some(has));
}

/** The row with each cell at its column. */
function expandSpans(row: readonly Cell[]): (Cell | undefined)[] {
  return row.flatMap((cell) => [cell, ...Array<undefined>(cell.span - 1).fill(undefined)]);
}

function dataRowsOf<Field extends string>(
  { data, headings, table }: Fit<Field>,
  page: Page,
  { description, path, name }: TableQuestion<Field>,
): Pick<FoundTable<Field>, 'rows' | 'isEmpty'> {
  const { none, ignoreRows } = description;
  const [only, ...others] = data;
  const [notice, ...more] = only?.filter(({ text }) => text !== '') ?? [];
  if (only !== undefined && others.length === 0 && more.length === 0) {
    const text = notice?.text ?? '';
    if (isOneOf(text, none)) return { rows: [], isEmpty: true };
    if (only.length === 1) refuse(`its ${name} has nothing but "${text}"`, lineOf([...path, 'none'], text));
  }
  const rows = data
    .filter((row) => !isOneOf(row.find(({ text }) => text !== '')?.text ?? '', ignoreRows))
    .map(expandSpans);
  for (const [index, row] of rows.entries()) {
    if (row.length === headings.length) continue;
    const shown = row.map((cell) => cell?.text ?? '');
    refuse(
      `row ${index + 1} of its ${name} has ${row.length} cells for ${headings.length} columns: ${quote(shown)}`,
      ...(row.filter((cell) => cell !== undefined).length === 1
        ? [lineOf([...path, 'ignoreRows'], shown[0] ?? '')]
        : []),
    );
  }
  const spread = rows.findIndex((row) => row.filter((cell) => cell !== undefined).length === 1 && row.length > 1);
  if (spread !== -1) {
    const shown = rows[spread]?.[0]?.text ?? '';
    refuse(
      `row ${spread + 1} of its ${name} has one cell across all columns, "${shown}"`,
      lineOf([...path, 'ignoreRows'], shown),
    );
  }
  return { rows, isEmpty: rows.length === 0 && hasNotice(page, none) && table.rows.length === 0 };
}

/** Whether a line of the page says that there is nothing. */
function hasNotice({ text }: Page, none: TableDescription<string>['none']): boolean {
  return noticeOf(text.lines, none) !== undefined;
}

export function noticeOf(lines: readonly string[], none: TableDescription<string>['none']): string | undefined {
  return lines.find((line) => line.length <= 200 && isOneOf(line, none));
}

/** @throws UnparseablePageError for a page that says that there are no rows, beside the rows of a table: they mean something else */
export function refuseContradicted(
  { text }: Page,
  { rows, headings, table }: Pick<FoundTable<string>, 'rows' | 'headings' | 'table'>,
  path: Path,
  none: TableDescription<string>['none'],
): void {
  const notice = rows.length === 0 ? undefined : noticeOf(text.lines, none);
  if (notice === undefined) return;
  refuse(
    `it says "${notice}" and has a table with ${quote(headings)}${table.section === '' ? '' : ` below "${table.section}"`}`,
    lineOf([...path, 'section'], 'HEADING OF THE TABLE'),
    lineOf([...path, 'none'], []),
  );
}

/** What tables of these sections have instead of the headings that a description names, for a message; undefined without such a table. */
export function refuseUnknownHeadings<Field extends string>(page: Page, question: TableQuestion<Field>): void {
  const { description, path, name, required, oneOf } = question;
  const isRequired = question.isRequired === true;
  const elsewhere = isRequired ? tablesOf(page).find((table) => fitOf(table, question) !== undefined) : undefined;
  if (elsewhere !== undefined) {
    refuse(`a table below "${elsewhere.section}" may be its ${name}`, lineOf([...path, 'section'], elsewhere.section));
  }
  const candidates = candidatesOf(page, description);
  if (isRequired && candidates.length > 0 && candidates.every(({ headings }) => headings.length === 0)) {
    const fields = [...required, ...(oneOf?.slice(0, 1) ?? [])];
    refuse(`its ${name} has no headings`, lineOf([...path, 'order'], fields));
  }
  const known = (headings: readonly string[], field: Field) =>
    headings.find((heading) => isOneOf(heading, description.columns?.[field]));
  const [nearest] = candidates
    .filter(
      ({ section, headings }) =>
        headings.length > 1 && (isRequired || description.section === undefined || section !== ''),
    )
    .filter(({ headings }) => !headings.some((heading) => isOneOf(heading, description.without)))
    .map(({ headings, section }) => ({ headings, section, lacking: lackingOf(headings) }))
    .sort((one, other) => one.lacking.length - other.lacking.length);
  if (nearest === undefined || nearest.lacking.length === 0 || nearest.lacking.length > required.length) return;
  const taken = Object.keys(description.columns ?? {}).map((field) => known(nearest.headings, field as Field));
  const free = nearest.headings.filter((heading) => heading !== '' && !taken.includes(heading));
  refuse(
    `its ${name}${nearest.section === '' ? '' : ` below "${nearest.section}"`} has no heading for ${quote(nearest.lacking)} among ${quote(nearest.headings)}`,
    ...nearest.lacking
      .flatMap((field) => (oneOf?.includes(field) === true ? oneOf : [field]))
      .map((field) => lineOf([...path, 'columns', field], free.length === 1 ? free[0] : 'HEADING')),
  );

  function lackingOf(headings: readonly string[]): Field[] {
    const lacking = [...required, ...(oneOf?.slice(0, 1) ?? [])].filter(
      (field) => known(headings, field) === undefined,
    );
    return oneOf?.some((field) => known(headings, field) !== undefined) === true
      ? lacking.filter((field) => field !== oneOf[0])
      : lacking;
  }
}

import type { TableDescription, Texts } from '../descriptions/source-description.ts';
import type { Page } from './page.parse.ts';
import { lineOf, quote, refuse, type Path } from './refusal.ts';
import { headingAt, sectionsOf, tablesOf, type Cell, type Row, type Table } from './tables.parse.ts';
import { linesOf, textOf } from './text.parse.ts';
import { isOneOf, normalize } from './values.ts';

type Columns<Field extends string> = Partial<Record<Field, number>>;

/** A table that fits a description, and where each field stands in its rows. */
export interface FoundTable<Field extends string> {
  table: Table;
  columns: Columns<Field>;
  /** Its headings; the names of its columns for a table without. */
  headings: readonly string[];
  /** Cells at their columns, as many as there are headings. */
  rows: Row[];
  /** Whether a notice says that there are no rows. */
  isEmpty: boolean;
}

export interface TableQuestion<Field extends string> {
  description: TableDescription<Field>;
  path: Path;
  /** How messages name the table. */
  name: string;
  /** The fields that it has; of several, one at least. */
  required: readonly (readonly Field[])[];
  /** Whether a page without it is refused. */
  isRequired?: boolean;
  /** A heading of tables that are not meant, or a line above them. */
  without?: RegExp;
  /** Tells whether a row is data although it begins like one that is none. */
  isData?: (row: Row, columns: Columns<Field>) => boolean;
  /** The class by which one of several tables is known to be meant. */
  usual?: string;
}

/**
 * The one table that fits a description; undefined when none does.
 *
 * @throws UnparseablePageError when two tables fit, a heading stands twice, or a row has another number of cells; for a table that is
 * required also when none fits
 */
export function findTable<Field extends string>(
  page: Page,
  question: TableQuestion<Field>,
): FoundTable<Field> | undefined {
  const { description, path, name, without } = question;
  const { section, selector } = description;
  const tables = tablesOf(page)
    .filter(({ headings }) => without === undefined || !headings.some((each) => without.test(normalize(each))))
    .map((table) => ({ ...table, section: lineAbove(page, table, without) ?? table.section }));
  const marked = selector === undefined ? tables : tables.filter(({ element }) => page.$(element).is(selector));
  if (tables.length > 0 && marked.length === 0 && noticeOf(page, description) === undefined)
    refuse(`none of its tables is "${selector ?? ''}"`, lineOf([...path, 'selector'], 'SELECTOR OF THE TABLE'));
  const candidates = marked.filter((table) => section === undefined || isOneOf(table.section, section));
  const fits = candidates.flatMap((table) => fitOf(table, question) ?? []);
  const usual = fits.filter(({ table }) => page.$(table.element).hasClass(question.usual ?? ''));
  const fitting = usual.length === 1 ? usual : fits;
  const [found, other] = fitting;
  if (found === undefined) {
    refuseUnfound(marked, candidates, question);
    return undefined;
  }
  if (other !== undefined) {
    const sections = fitting.map(({ table }) => table.section);
    refuse(
      `it has ${fitting.length} tables that may be its ${name}, below the headings ${quote(sections)}`,
      areDifferent(sections)
        ? lineOf([...path, 'section'], found.table.section)
        : lineOf([...path, 'selector'], 'SELECTOR OF THE TABLE'),
    );
  }
  if (found.table.lack !== undefined) refuse(`its ${name} ${found.table.lack}`);
  return { ...found, ...dataRowsOf(found, page, question) };
}

/** The last line above a table, when it says that the table is another one than is meant. */
function lineAbove({ text }: Page, { element, around }: Table, without: RegExp | undefined): string | undefined {
  const line = textOf(linesOf(text.runs.slice(around.start, text.spanOf(element)?.start)).at(-1) ?? []);
  return without?.test(normalize(line)) === true ? line : undefined;
}

function areDifferent(texts: readonly string[]): boolean {
  return new Set(texts.map(normalize)).size === texts.length;
}

type Fit<Field extends string> = Omit<FoundTable<Field>, 'isEmpty'>;

function fitOf<Field extends string>(table: Table, question: TableQuestion<Field>): Fit<Field> | undefined {
  const { order } = question.description;
  const [first = [], ...others] = table.rows;
  const isHeaded = table.headings.length > 0;
  const headings = isHeaded ? table.headings : first.map((cell) => cell?.text ?? '');
  const columns = columnsOf(headings, question);
  if (lackingOf(columns, question).length === 0)
    return { table, columns, headings, rows: isHeaded ? table.rows : others };
  if (isHeaded || order === undefined || first.length < order.length) return undefined;
  const names = first.map((_, index) => order[index] ?? '');
  const ordered = Object.fromEntries(
    names.flatMap((field, index) => (field === '' ? [] : [[field, index]])),
  ) as Columns<Field>;
  return { table, columns: ordered, headings: names, rows: table.rows };
}

/** @throws UnparseablePageError for two headings of one field, in a table that has all required ones */
function columnsOf<Field extends string>(headings: readonly string[], question: TableQuestion<Field>): Columns<Field> {
  const { description, path, name } = question;
  const fields = Object.entries(description.columns ?? {}) as [Field, Texts | null][];
  const found = fields.map(([field, spellings]) => ({
    field,
    indices: headings.flatMap((heading, index) => (isOneOf(heading, spellings) ? [index] : [])),
  }));
  const columns = Object.fromEntries(
    found.flatMap(({ field, indices }) => (indices[0] === undefined ? [] : [[field, indices[0]]])),
  ) as Columns<Field>;
  const doubt = found.find(({ indices }) => indices.length > 1);
  if (doubt !== undefined && lackingOf(columns, question).length === 0) {
    const twice = doubt.indices.map((index) => headings[index] ?? '');
    refuse(
      `the headings ${quote(twice)} of its ${name} may both be "${doubt.field}"`,
      ...(areDifferent(twice) ? twice.map((heading) => lineOf([...path, 'columns', doubt.field], heading)) : []),
    );
  }
  return columns;
}

function lackingOf<Field extends string>(columns: Columns<Field>, { required }: TableQuestion<Field>) {
  return required.filter((fields) => fields.every((field) => columns[field] === undefined));
}

function dataRowsOf<Field extends string>(
  { rows: all, headings, table, columns }: Fit<Field>,
  page: Page,
  { description, path, name, isData }: TableQuestion<Field>,
): Pick<FoundTable<Field>, 'rows' | 'isEmpty'> {
  const { none, ignoreRows } = description;
  const cellsOf = (row: Row): Cell[] => row.filter((cell) => cell !== undefined);
  const shownOf = (row: Row) => cellsOf(row).flatMap(({ text }) => (text === '' ? [] : [text]));
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0 && shownOf(only).length < 2) {
    const [notice = ''] = shownOf(only);
    if (isOneOf(notice, none)) return { rows: [], isEmpty: true };
    if (cellsOf(only).length === 1)
      refuse(`its ${name} has nothing but "${notice}"`, lineOf([...path, 'none'], notice));
  }
  const rows = all.filter((row) => !isOneOf(shownOf(row)[0] ?? '', ignoreRows) || isData?.(row, columns) === true);
  for (const [index, row] of rows.entries()) {
    const isAcross = cellsOf(row).length === 1 && headings.length > 1;
    if (row.length === headings.length && !isAcross) continue;
    refuse(
      `row ${index + 1} of its ${name} has ${cellsOf(row).length} cells for ${headings.length} columns: ${quote(cellsOf(row).map(({ text }) => text))}`,
      ...(isAcross ? [lineOf([...path, 'ignoreRows'], row[0]?.text ?? '')] : []),
    );
  }
  const isEmpty = rows.length === 0 && table.rows.length === 0 && noticeOf(page, description) !== undefined;
  return { rows, isEmpty };
}

/** The line of the page that says that there is nothing, below no heading or one of the table. */
export function noticeOf(page: Page, { none, section }: TableDescription<string>): string | undefined {
  const { runs, lines } = page.text;
  const starts = runs.flatMap(({ before }, index) => (before === '\n' ? [index] : []));
  return lines.find((line, index) => {
    if (line.length > 200 || !isOneOf(line, none)) return false;
    const heading = headingAt(sectionsOf(page), starts[index] ?? 0);
    return section === undefined || heading === '' || isOneOf(heading, section);
  });
}

/** @throws UnparseablePageError for a page that says that there are no rows, beside the rows of a table: they mean something else */
export function refuseContradicted(
  page: Page,
  { rows, headings, table }: Pick<FoundTable<string>, 'rows' | 'headings' | 'table'>,
  path: Path,
  description: TableDescription<string> = {},
): void {
  const notice = rows.length === 0 ? undefined : noticeOf(page, description);
  if (notice === undefined) return;
  refuse(
    `it says "${notice}" and has a table with ${quote(headings)}${below(table.section)}`,
    lineOf([...path, 'section'], 'HEADING OF THE TABLE'),
    lineOf([...path, 'none'], []),
  );
}

function below(section: string): string {
  return section === '' ? '' : ` below "${section}"`;
}

/** @throws UnparseablePageError that says what the likeliest table has instead of what is described, unless there is none */
function refuseUnfound<Field extends string>(
  tables: readonly Table[],
  candidates: readonly Table[],
  question: TableQuestion<Field>,
): void {
  const { description, path, name, isRequired = false } = question;
  const likely = isRequired
    ? [...candidates, ...tables.filter((table) => fitOf(table, question) !== undefined)]
    : candidates.filter(
        ({ headings, section }) => headings.length > 1 && (description.section === undefined || section !== ''),
      );
  const [nearest] = likely
    .map((table) => {
      const columns = columnsOf(table.headings, question);
      return { ...table, columns, lacking: fitOf(table, question) === undefined ? lackingOf(columns, question) : [] };
    })
    .sort((one, other) => one.lacking.length - other.lacking.length);
  if (nearest === undefined) return;
  const { headings, section, columns, lacking } = nearest;
  if (lacking.length === 0)
    refuse(`a table below "${section}" may be its ${name}`, lineOf([...path, 'section'], section));
  const free = headings.filter((heading, index) => heading !== '' && !Object.values(columns).includes(index));
  const fields = lacking.map(([field = '']) => field);
  refuse(
    `its ${name}${below(section)} has ${headings.length > 1 ? `no heading for ${quote(fields)} among ${quote(headings)}` : 'no headings'}`,
    ...(headings.length > 1
      ? lacking.flat().map((field) => lineOf([...path, 'columns', field], free.length === 1 ? free[0] : 'HEADING'))
      : [lineOf([...path, 'order'], fields)]),
  );
}

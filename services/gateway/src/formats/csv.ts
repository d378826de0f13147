import type { RowShape } from '@lobbystats/contracts';
import { stringify } from 'csv-stringify/sync';

/**
 * OWASP's characters, and their full-width forms: https://owasp.org/www-community/attacks/CSV_Injection
 * Where another character than the comma separates cells, as in most of Europe, quotes inside a line have no meaning: a
 * cell may begin after any separator or line end inside a text.
 */
const FORMULA_START = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;\t|\r\n])(?="*[=+\-@＝＋－＠])/g;
/** A negative number that the network shows as text, such as a score. */
const NEGATIVE_NUMBER = /^-\d+(?:[.,]\d+)*$/;

/**
 * Rows as CSV (RFC 4180): CRLF after every line, UTF-8 without a byte order mark.
 *
 * @param header whether the line of column names comes first
 * @throws TypeError for a row of another shape
 */
export function csvText({ of, columns }: RowShape, rows: readonly unknown[], header: boolean): string {
  const cellsOf = of === 'texts' ? textCells : (row: unknown) => fieldCells(row, columns);
  return stringify(rows.map(cellsOf), {
    columns,
    header,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    // CSV readers skip empty lines.
    quoted_empty: columns.length === 1,
  });
}

function textCells(row: unknown): string[] {
  if (typeof row !== 'string') throw new TypeError('A row is not a string');
  return [cell(row)];
}

function fieldCells(row: unknown, columns: readonly string[]): string[] {
  if (typeof row !== 'object' || row === null) throw new TypeError('A row is not an object');
  const fields = new Map<string, unknown>(Object.entries(row));
  return columns.map((name) => cell(fields.get(name)));
}

/** The text of a value. Apostrophes keep spreadsheets from running a part of it as a formula; numbers stay numbers. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return typeof value === 'number' || NEGATIVE_NUMBER.test(text) ? text : text.replace(FORMULA_START, "'");
}

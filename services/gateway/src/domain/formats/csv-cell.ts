/** First characters that make a spreadsheet read a cell as a formula, OWASP's list with the full-width forms of the signs. */
const ACTIVE = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * A value as a cell of RFC 4180. Null and what is missing are empty, arrays and objects are JSON. What a spreadsheet would
 * execute has a `'` in front: https://owasp.org/www-community/attacks/CSV_Injection
 */
function csvCell(value: unknown): string {
  const text = textOf(value);
  const inert = ACTIVE.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** A line of cells. One that is empty and alone is quoted: readers skip empty lines. */
export function csvLine(values: readonly unknown[]): string {
  const line = values.map(csvCell).join(',');
  return line === '' ? '""\r\n' : `${line}\r\n`;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

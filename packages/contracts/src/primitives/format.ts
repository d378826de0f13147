import { oneOf } from './query.ts';

/** Forms in which rows can be had. */
export const formats = ['json', 'csv', 'ndjson'] as const;
export type Format = (typeof formats)[number];

/** A form of the rows alone, without what surrounds them in JSON. */
export type RowFormat = Exclude<Format, 'json'>;

/** `format` of every operation that has rows. */
export const format = oneOf(formats).default('json').meta({
  description:
    "csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front",
});

/** Media types of the rows. */
export const rowTypes: Readonly<Record<RowFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

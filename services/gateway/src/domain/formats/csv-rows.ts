import type { RowShape } from '@lobbystats/contracts';
import { beginningsOf, copyPlainRows } from './copy-plain-rows.ts';
import { csvLine } from './csv-cell.ts';
import { END, valueEnd } from './json-bytes.ts';
import type { RowForm } from './row-form.ts';

/** Rows as CSV by RFC 4180: a header, then a line for each, all of them ended by CRLF; UTF-8 without a byte order mark. */
export function csvRows({ of, columns }: RowShape): RowForm {
  const beginnings = beginningsOf(columns);
  const cellsOf = of === 'texts' ? textCells : (row: unknown) => fieldCells(columns, row);
  return {
    head: csvLine(columns),
    writeRows: (bytes, from, sink) => {
      const plainEnd = of === 'objects' ? copyPlainRows(bytes, from, beginnings, sink) : END;
      if (plainEnd !== END) return plainEnd;
      const end = valueEnd(bytes, from);
      if (end !== END) sink.text(csvLine(cellsOf(JSON.parse(bytes.toString('utf8', from, end)))));
      return end;
    },
  };
}

function textCells(row: unknown): readonly unknown[] {
  if (typeof row !== 'string') throw new SyntaxError('A row is no text');
  return [row];
}

function fieldCells(columns: readonly string[], row: unknown): readonly unknown[] {
  if (typeof row !== 'object' || row === null) throw new SyntaxError('A row is no object');
  const fields = new Map<string, unknown>(Object.entries(row));
  return columns.map((name) => fields.get(name));
}

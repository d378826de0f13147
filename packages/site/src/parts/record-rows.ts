/** Rows that show records. Live pages are morphed by the ids of rows: each stays the row of its record. */
export interface RecordRows<Row> {
  /** Names the kind of record, once in a page for tables. Lists may share it if they never show the same record. */
  readonly id: string;
  readonly rows: readonly Row[];
  /** Identifies the record, and is the same in the next view of the page. */
  readonly key: (row: Row) => string | number;
}

/** The rows with the values of their `id` attributes: `lobby-Ember%20Fox`. Equal keys are numbered in their order. */
export function withRowIds<Row>({ id, rows, key }: RecordRows<Row>): readonly (readonly [id: string, row: Row])[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const rowId = `${id}-${encodeURIComponent(String(key(row)).toWellFormed())}`;
    const count = (counts.get(rowId) ?? 0) + 1;
    counts.set(rowId, count);
    return [count === 1 ? rowId : `${rowId}+${count}`, row];
  });
}

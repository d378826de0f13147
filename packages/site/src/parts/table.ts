import { html, raw, type Html } from '../html.ts';

/** Rows that show records. Live pages are morphed by the ids of rows: each stays the row of its record. */
export interface RecordRows<Row> {
  /** Names the kind of record, once in a page for tables. Lists may share it if they never show the same record. */
  readonly id: string;
  readonly rows: readonly Row[];
  /** Identifies the record, and is the same in the next view of the page. */
  readonly key: (row: Row) => string | number;
}

export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => Html | string | number;
  readonly isNumber?: boolean;
  /** Left out on narrow screens. */
  readonly isMinor?: boolean;
  /** Heads its row: one column of a table. */
  readonly isHead?: boolean;
  /** The value of the page's parameter that sorts by this column. */
  readonly sortBy?: string;
}

export interface Table<Row> extends RecordRows<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Shown in place of a table without rows. */
  readonly empty: string;
  readonly sort?: Sort;
  /** On narrow screens each row is a card, with the headings of its numbers. For tables that are too wide there. */
  readonly isStacked?: boolean;
  /** Marks rows, such as a player that was searched for. */
  readonly isMarked?: (row: Row) => boolean;
}

export interface Sort {
  readonly by: string;
  readonly order: 'ascending' | 'descending';
  /** The page sorted by another column, or by the same one in the other order. */
  readonly href: (by: string) => string;
}

export function table<Row>({
  caption,
  columns,
  empty,
  sort,
  isStacked = false,
  isMarked,
  id,
  rows,
  key,
}: Table<Row>): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const shown = rows.map((row) => {
    const cells = columns.map(({ cell }) => cell(row));
    return { cells, key: key(row), isMarked: isMarked?.(row) };
  });
  const ids = rowIds(
    id,
    shown.map((row) => row.key),
  );
  return html`<div
    class="table${isStacked && ' stacked'}"
    id="rows-of-${id}"
    role="group"
    aria-label="${caption}"
    tabindex="0"
  >
    <table>
      <caption class="hidden">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => heading(column, sort))}
        </tr>
      </thead>
      <tbody>
        ${shown.map(
          (row, index) =>
            html`<tr id="${ids[index]}" ${row.isMarked === true ? raw(' class="marked"') : ''}>
              ${columns.map((column, place) => cell(column, row.cells[place], isStacked))}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function heading<Row>(column: Column<Row>, sort: Sort | undefined): Html {
  const { heading: text, sortBy } = column;
  const isSorted = sortBy !== undefined && sortBy === sort?.by;
  const state = isSorted ? html` aria-sort="${sort.order}"` : '';
  const content = sortBy === undefined || sort === undefined ? text : html`<a href="${sort.href(sortBy)}">${text}</a>`;
  return html`<th scope="col" ${classOf(column)}${state}>${content}</th>`;
}

function cell<Row>(column: Column<Row>, content: Html | string | number | undefined, isStacked: boolean): Html {
  if (column.isHead === true) return html`<th scope="row" ${classOf(column)}>${content}</th>`;
  const heading = isStacked && column.isNumber === true ? html` data-heading="${column.heading}"` : '';
  return html`<td${classOf(column)}${heading}>${content}</td>`;
}

/** The `id` attributes of rows: `lobby-Ember%20Fox`. Equal keys are numbered in their order. */
export function rowIds(id: string, keys: readonly (string | number)[]): readonly string[] {
  const counts = new Map<string, number>();
  return keys.map((key) => {
    const rowId = `${id}-${encodeURIComponent(String(key).toWellFormed())}`;
    const count = (counts.get(rowId) ?? 0) + 1;
    counts.set(rowId, count);
    return count === 1 ? rowId : `${rowId}+${count}`;
  });
}

function classOf<Row>({ isNumber = false, isMinor = false }: Column<Row>): Html | '' {
  const names = [isNumber && 'number', isMinor && 'minor'].filter((name) => name !== false);
  return names.length === 0 ? '' : raw(` class="${names.join(' ')}"`);
}

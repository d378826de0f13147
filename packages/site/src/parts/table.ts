import { html, raw, type Html } from '../html.ts';
import { withRowIds, type RecordRows } from './record-rows.ts';

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
  isMarked = () => false,
  ...records
}: Table<Row>): Html {
  if (records.rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<div
    class="table${isStacked && ' stacked'}"
    id="rows-of-${records.id}"
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
        ${withRowIds(records).map(
          ([id, row]) =>
            html`<tr id="${id}" ${isMarked(row) ? raw(' class="marked"') : ''}>
              ${columns.map((column) => cell(column, row, isStacked))}
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

function cell<Row>(column: Column<Row>, row: Row, isStacked: boolean): Html {
  const content = column.cell(row);
  if (column.isHead === true) return html`<th scope="row" ${classOf(column)}>${content}</th>`;
  const heading = isStacked && column.isNumber === true ? html` data-heading="${column.heading}"` : '';
  return html`<td${classOf(column)}${heading}>${content}</td>`;
}

function classOf<Row>({ isNumber = false, isMinor = false }: Column<Row>): Html | '' {
  const names = [isNumber && 'number', isMinor && 'minor'].filter((name) => name !== false);
  return names.length === 0 ? '' : raw(` class="${names.join(' ')}"`);
}

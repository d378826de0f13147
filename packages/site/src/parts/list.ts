import { html, type Html } from '../html.ts';
import { empty as emptyPart } from './part.ts';
import { rowIds, type RecordRows } from './table.ts';

export interface List<Row> extends RecordRows<Row> {
  /** Content of an item. @param id of the item, unique in the page */
  readonly item: (row: Row, id: string) => Html;
  /** Shown in place of a list without items. */
  readonly empty: string;
  /** Default: `list`. */
  readonly className?: string;
}

export function list<Row>({ id, rows, key, item, empty, className = 'list' }: List<Row>): Html {
  if (rows.length === 0) return emptyPart(empty);
  const ids = rowIds(id, rows.map(key));
  return html`<ul class="${className}">
    ${rows.map((row, index) => html`<li id="${ids[index]}">${item(row, ids[index] ?? '')}</li> `)}
  </ul>`;
}

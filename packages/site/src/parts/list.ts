import { html, type Html } from '../html.ts';
import { empty as emptyPart } from './part.ts';
import { withRowIds, type RecordRows } from './record-rows.ts';

export interface List<Row> extends RecordRows<Row> {
  /** Content of an item. @param id of the item, unique in the page */
  readonly item: (row: Row, id: string) => Html;
  /** Shown in place of a list without items. */
  readonly empty: string;
  /** Default: `list`. */
  readonly className?: string;
}

export function list<Row>({ item, empty, className = 'list', ...records }: List<Row>): Html {
  if (records.rows.length === 0) return emptyPart(empty);
  return html`<ul class="${className}">
    ${withRowIds(records).map(([id, row]) => html`<li id="${id}">${item(row, id)}</li> `)}
  </ul>`;
}

import type { operations, OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { section } from '../../parts/part.ts';
import { table } from '../../parts/table.ts';

type Described = OperationResponse<typeof operations.getApiIndex>['operations'][number];

/** A table of operations for each group of the OpenAPI document, in its order. */
export function operationLists(all: readonly Described[]): Html {
  const groups = Map.groupBy(all, groupOf);
  return html`${[...groups].map(([group, rows], index) =>
    section(`group-${index + 1}`, group, operationTable(`operation-${index + 1}`, group, rows)),
  )}`;
}

function operationTable(id: string, group: string, rows: readonly Described[]): Html {
  return table({
    caption: `Operations: ${group}`,
    empty: 'No operations',
    id,
    rows,
    key: ({ docs }) => docs.split('/').at(-1) ?? '',
    isStacked: true,
    columns: [
      { heading: 'Method', isMinor: true, cell: ({ method }) => method },
      { heading: 'Path', isHead: true, cell: ({ path, docs }) => html`<a href="${docs}"><code>${path}</code></a>` },
      { heading: 'Summary', cell: ({ summary }) => summary },
    ],
  });
}

/** The tag in the address of its documentation: `/docs#/Games/getGame`. */
function groupOf({ docs }: Described): string {
  return decodeURIComponent(docs.split('#/')[1]?.split('/')[0] ?? '');
}

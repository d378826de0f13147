import { OPENAPI_PATH, operations, type OperationResponse } from '@lobbystats/contracts';
import { z } from 'zod';
import { swaggerPaths } from './swagger-paths.ts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { definePage, mediaTypes } from '../../page.ts';
import { section } from '../../parts/part.ts';
import { table } from '../../parts/table.ts';

const { getApiIndex } = operations;

/** All operations of the API. A script replaces the list by Swagger UI where it is asked for: it has 1.7 MB. */
export const docs = (assets: { readonly style: string; readonly script: string }) =>
  definePage({
    id: 'getDocsPage',
    path: links.docs,
    params: z.object({}),
    query: z.object({}),
    asks: [getApiIndex],
    // Swagger UI's style sheet has its icons in data URLs.
    hasEmbeddedImages: true,
    view: async (_request, data) => {
      const index = await data.ask(getApiIndex);
      return {
        title: 'The API',
        description: 'Every operation of the public API: parameters, responses, examples, and a form to try it.',
        path: links.docs,
        alternates: [{ type: mediaTypes.json, href: OPENAPI_PATH, title: 'OpenAPI document' }],
        head: html`<link rel="stylesheet" href="${assets.style}" />
          <script type="module" src="${assets.script}"></script>`,
        content: html`<div class="head">
            <h1>The API</h1>
            <p>New here? The <a href="${links.guide}">guide</a> shows the first steps.</p>
          </div>
          <p class="js" id="open-docs">
            <button type="button" class="main">Show parameters, responses and examples</button>
          </p>
          <noscript>
            <p class="hint">
              JavaScript is off: the whole description is in the <a href="${OPENAPI_PATH}">OpenAPI document</a>.
            </p>
          </noscript>
          <div
            id="docs"
            data-island
            data-document="${OPENAPI_PATH}"
            data-style="${swaggerPaths.style}"
            data-script="${swaggerPaths.script}"
          ></div>
          <div id="operation-lists">${operationLists(index.operations)}</div>`,
      };
    },
  });

type Described = OperationResponse<typeof operations.getApiIndex>['operations'][number];

/** A table of operations for each group of the OpenAPI document, in its order. */
function operationLists(all: readonly Described[]): Html {
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

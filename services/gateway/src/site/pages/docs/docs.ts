import { OPENAPI_PATH } from '@lobbystats/contracts';
import { z } from 'zod';
import { swaggerPaths } from '../../../documents/swagger-ui.ts';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import { definePage, mediaTypes } from '../../page.ts';

/** All operations of the API, with a form for each. It needs JavaScript: without, there is the document itself. */
export const docs = (assets: { readonly style: string; readonly script: string }) =>
  definePage({
    id: 'getDocsPage',
    path: links.docs,
    params: z.object({}),
    query: z.object({}),
    tags: () => [],
    // Swagger UI's style sheet has its icons in data URLs.
    hasEmbeddedImages: true,
    view: () =>
      Promise.resolve({
        title: 'The API',
        description: 'Every operation of the public API: parameters, responses, examples, and a form to try it.',
        path: links.docs,
        alternates: [{ type: mediaTypes.json, href: OPENAPI_PATH, title: 'OpenAPI document' }],
        head: html`<link rel="stylesheet" href="${swaggerPaths.style}" />
          <link rel="stylesheet" href="${assets.style}" />
          <script defer src="${swaggerPaths.script}"></script>
          <script type="module" src="${assets.script}"></script>`,
        content: html`<div class="head">
            <h1>The API</h1>
            <p>New here? The <a href="${links.guide}">guide</a> shows the first steps.</p>
          </div>
          <noscript>
            <p class="empty">
              JavaScript is off: the whole description is in the <a href="${OPENAPI_PATH}">OpenAPI document</a>.
            </p>
          </noscript>
          <div id="docs" data-island data-document="${OPENAPI_PATH}" data-state="loading"></div>`,
      }),
  });

// Shows the OpenAPI document. Requests are sent to the page's own origin, since the document may name another host.

/** @typedef {(settings: object) => void} DrawDocument Swagger UI's own script defines it. */

const container = /** @type {HTMLElement} */ (document.getElementById('docs'));
const { SwaggerUIBundle } = /** @type {{ SwaggerUIBundle: DrawDocument }} */ (/** @type {unknown} */ (window));

async function show() {
  const answer = await fetch(container.dataset['document'] ?? '');
  if (!answer.ok) throw new Error(`The document could not be loaded (${answer.status})`);
  const spec = await answer.json();
  const here = { url: location.origin, description: 'Where this page was opened' };
  SwaggerUIBundle({
    spec: { ...spec, servers: [here] },
    domNode: container,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    validatorUrl: null,
    onComplete: () => {
      container.dataset['state'] = 'ready';
    },
  });
}

show().catch((error) => {
  container.textContent = error.message;
  container.dataset['state'] = 'failed';
});

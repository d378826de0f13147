// Shows the OpenAPI document. Requests that are tried out go to where the page was opened: the document may name another host.

/** @typedef {(settings: object) => void} DrawDocument Swagger UI's own script defines it. */

const place = /** @type {HTMLElement} */ (document.getElementById('docs'));
const { SwaggerUIBundle } = /** @type {{ SwaggerUIBundle: DrawDocument }} */ (/** @type {unknown} */ (window));

async function show() {
  const answer = await fetch(place.dataset['document'] ?? '');
  if (!answer.ok) throw new Error(`The document could not be had (${answer.status})`);
  const spec = await answer.json();
  const here = { url: location.origin, description: 'Where this page was opened' };
  SwaggerUIBundle({
    spec: { ...spec, servers: [here] },
    domNode: place,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    validatorUrl: null,
    onComplete: () => {
      place.dataset['state'] = 'ready';
    },
  });
}

show().catch((error) => {
  place.textContent = error.message;
  place.dataset['state'] = 'failed';
});

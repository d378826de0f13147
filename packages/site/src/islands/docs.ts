import { isDark, onThemeChange } from './theme.ts';

/** Swagger UI's own script defines it. */
interface SwaggerUi {
  readonly SwaggerUIBundle: (settings: object) => void;
}

/** Shows the OpenAPI document. Requests go to the page's own origin, since the document may name another host. */
async function showDocument(container: HTMLElement): Promise<void> {
  const { SwaggerUIBundle } = globalThis as unknown as SwaggerUi;
  const response = await fetch(container.dataset['document'] ?? '');
  if (!response.ok) throw new Error(`The document could not be loaded (${response.status})`);
  const spec = (await response.json()) as object;
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
    plugins: [asPartOfPage],
    onComplete: () => {
      container.dataset['state'] = 'ready';
    },
  });
}

interface React {
  createElement: (type: unknown, properties: object | null, ...children: unknown[]) => unknown;
}

/** The page has its own main element and heading. A path is a part of a button, which may not contain links. */
const REPLACED: Readonly<Record<string, string>> = { main: 'div', h1: 'h2' };

/** A plugin that makes the markup of Swagger UI valid as a part of this page. */
function asPartOfPage({ React }: { readonly React: React }) {
  const create = React.createElement.bind(React);
  React.createElement = (type, properties, ...children) => {
    const isServers = properties !== null && 'id' in properties && properties.id === 'servers';
    const named = isServers ? { ...properties, 'aria-label': 'Server' } : properties;
    return create(typeof type === 'string' ? (REPLACED[type] ?? type) : type, named, ...children);
  };
  const DeepLink = ({ text }: { readonly text: unknown }) => create('span', null, text);
  return { components: { DeepLink } };
}

/** Swagger UI knows the reader's theme by a class. */
function followTheme(): void {
  const apply = () => document.documentElement.classList.toggle('dark-mode', isDark());
  onThemeChange(apply);
  apply();
}

/** Loads Swagger UI once, when the reader asks for it or follows a link to an operation. */
async function openDocs(container: HTMLElement): Promise<void> {
  if (container.dataset['state'] !== undefined) return;
  container.dataset['state'] = 'loading';
  document.getElementById('open-docs')?.remove();
  followTheme();
  try {
    await loadSwaggerUi(container.dataset);
    await showDocument(container);
    document.getElementById('operation-lists')?.remove();
  } catch (error) {
    container.textContent = error instanceof Error ? error.message : 'Swagger UI could not be loaded';
    container.dataset['state'] = 'failed';
  }
}

function loadSwaggerUi({ style = '', script = '' }: DOMStringMap): Promise<unknown> {
  const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: style });
  const program = Object.assign(document.createElement('script'), { src: script });
  const loaded = [sheet, program].map(
    (element) =>
      new Promise((resolve, reject) => {
        element.addEventListener('load', resolve);
        element.addEventListener('error', () => reject(new Error('Swagger UI could not be loaded')));
      }),
  );
  document.head.prepend(sheet, program);
  return Promise.all(loaded);
}

const docs = document.getElementById('docs');
if (docs !== null) {
  const openLinked = () => {
    if (location.hash.startsWith('#/')) void openDocs(docs);
  };
  document.querySelector('#open-docs button')?.addEventListener('click', () => void openDocs(docs));
  addEventListener('hashchange', openLinked);
  openLinked();
}

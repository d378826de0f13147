import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { OPENAPI_PATH, openApiDocument, readExamples } from '@lobbystats/openapi';
import { JSON_TYPE, mountPath, StartError } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { apiIndex, type ApiIndex } from './api-index.ts';
import { staticFile, sendStaticFile, type StaticFile } from './static-file.server.ts';

export interface DocsOptions {
  /** Public URL of the gateway. */
  readonly publicUrl: string;
  readonly version: string;
}

export interface Docs {
  readonly index: ApiIndex;
  readonly document: StaticFile;
  readonly page: ReadonlyMap<string, StaticFile>;
}

/**
 * Creates the OpenAPI document and reads the page's files.
 *
 * @throws StartError when the page's files are missing
 */
export function readDocs({ publicUrl, version }: DocsOptions): Docs {
  const document = openApiDocument({ publicUrl, version, examples: readExamples() });
  return {
    index: apiIndex(document.paths, { docs: DOCS_PATH, openapi: OPENAPI_PATH }),
    document: staticFile(JSON_TYPE, Buffer.from(JSON.stringify(document))),
    page: docsFiles(),
  };
}

export function mountDocs(app: Express, { document, page }: Docs): void {
  mountPath(app, OPENAPI_PATH, 'openapi', (req, res) => sendStaticFile(req, res, document, documentHeaders));
  for (const [path, file] of page) {
    mountPath(app, path, 'docs', (req, res) =>
      sendStaticFile(req, res, file, path === DOCS_PATH ? pageHeaders : fileHeaders),
    );
  }
}

/** Revalidated, so that a new release shows at once. */
const documentHeaders = { 'Cache-Control': 'public, no-cache', Vary: 'Accept-Encoding' };
const fileHeaders = { ...documentHeaders, 'Cross-Origin-Resource-Policy': 'same-origin' };
const pageHeaders = {
  ...fileHeaders,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Swagger UI's stylesheet embeds its icons.
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

export const DOCS_PATH = '/docs';

/**
 * The documentation page and the Swagger UI files that it loads, by path. Its own script and style are site files.
 *
 * @throws StartError when Swagger UI is not installed
 */
function docsFiles(): Map<string, StaticFile> {
  const files = swaggerFiles.map((name) => {
    const mediaType = extname(name) === '.css' ? 'text/css' : 'text/javascript';
    return [`${DOCS_PATH}/${name}`, staticFile(`${mediaType}; charset=utf-8`, readSwaggerFile(name))] as const;
  });
  return new Map([[DOCS_PATH, staticFile('text/html; charset=utf-8', Buffer.from(page))], ...files]);
}

const swaggerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Lobbystats: the API</title>
    <link rel="icon" href="/assets/favicon.svg" />
    <link rel="stylesheet" href="${DOCS_PATH}/swagger-ui.css" />
    <link rel="stylesheet" href="/assets/docs.css" />
    <script defer src="${DOCS_PATH}/swagger-ui-bundle.js"></script>
    <script defer src="/assets/docs.js"></script>
  </head>
  <body>
    <header>
      <a href="/">Lobbystats</a>
      <a href="${OPENAPI_PATH}">OpenAPI document</a>
    </header>
    <noscript><p>JavaScript is off: the whole description is in the <a href="${OPENAPI_PATH}">OpenAPI document</a>.</p></noscript>
    <main id="docs" data-document="${OPENAPI_PATH}" data-state="loading"></main>
  </body>
</html>
`;

function readSwaggerFile(name: string): Buffer {
  try {
    const require = createRequire(join(import.meta.dirname, 'docs.routes.ts'));
    return readFileSync(join(dirname(require.resolve('swagger-ui-dist/package.json')), name));
  } catch (cause) {
    throw new StartError(`the files of the documentation page can not be read: ${name}`, { cause });
  }
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { OPENAPI_PATH } from '@lobbystats/openapi';
import { StartError } from '@lobbystats/service-kit';
import { staticFile, type StaticFile } from './static-file.server.ts';

export const DOCS_PATH = '/docs';

/**
 * The documentation page and the Swagger UI files that it loads, by path. Its own script and style are site files.
 *
 * @throws StartError when Swagger UI is not installed
 */
export function docsFiles(): Map<string, StaticFile> {
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
    const require = createRequire(join(import.meta.dirname, 'docs-page.server.ts'));
    return readFileSync(join(dirname(require.resolve('swagger-ui-dist/package.json')), name));
  } catch (cause) {
    throw new StartError(`the files of the documentation page can not be read: ${name}`, { cause });
  }
}

import { OPENAPI_PATH, openApiDocument, readExamples } from '@lobbystats/openapi';
import { JSON_TYPE, mountPath } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { DOCS_PATH, docsFiles } from './docs-page.server.ts';
import { staticFile, sendStaticFile, type StaticFile } from './static-file.server.ts';

export interface DocsOptions {
  /** Public URL of the gateway. */
  readonly publicUrl: string;
  readonly version: string;
}

export interface Docs {
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
  return { document: staticFile(JSON_TYPE, Buffer.from(JSON.stringify(document))), page: docsFiles() };
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

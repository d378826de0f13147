import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { OPENAPI_PATH } from '@lobbystats/contracts';
import { readDocument } from '@lobbystats/contracts/openapi';
import { JSON_TYPE, mountPath, StartError } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { links } from '@lobbystats/site/links';
import { apiIndex, type ApiIndex } from './api-index.ts';
import { staticFile, sendStaticFile, type StaticFile } from './static-file.routes.ts';
import { swaggerPaths } from '@lobbystats/site';

export interface DocsOptions {
  /** Public URL of the gateway. */
  readonly publicUrl: string;
  readonly version: string;
}

export interface Docs {
  readonly index: ApiIndex;
  readonly document: StaticFile;
  /** Files of the documentation page, by path. */
  readonly files: ReadonlyMap<string, StaticFile>;
}

/** By options: they have 3 MB of text to read and hash. */
const known = new Map<string, Docs>();

/** Reads the OpenAPI document and the files of its page, once. @throws StartError when one is missing */
export function readDocs(options: DocsOptions): Docs {
  const key = JSON.stringify([options.publicUrl, options.version]);
  const docs = known.get(key) ?? readFiles(options);
  known.set(key, docs);
  return docs;
}

function readFiles(options: DocsOptions): Docs {
  const document = readOrFail('docs/openapi.json', () => readDocument(options));
  return {
    index: apiIndex(document.paths, { docs: links.docs, openapi: OPENAPI_PATH }),
    document: staticFile(JSON_TYPE, Buffer.from(JSON.stringify(document))),
    files: swaggerFiles(),
  };
}

/** Mounts the OpenAPI document and the files of its page, which is a page of the site. */
export function mountDocs(app: Express, { document, files }: Docs): void {
  mountPath(app, OPENAPI_PATH, 'openapi', (req, res) => sendStaticFile(req, res, document, documentHeaders));
  for (const [path, file] of files) {
    mountPath(app, path, 'docs', (req, res) => sendStaticFile(req, res, file, fileHeaders));
  }
}

/** Revalidated, so that a new release shows at once. */
const documentHeaders = { 'Cache-Control': 'public, no-cache', Vary: 'Accept-Encoding' };
const fileHeaders = { ...documentHeaders, 'Cross-Origin-Resource-Policy': 'same-origin' };

/** The files of Swagger UI, by path. @throws StartError when it is not installed */
function swaggerFiles(): Map<string, StaticFile> {
  const files = Object.values(swaggerPaths).map((path) => {
    const mediaType = extname(path) === '.css' ? 'text/css' : 'text/javascript';
    return [path, staticFile(`${mediaType}; charset=utf-8`, readSwaggerFile(basename(path)))] as const;
  });
  return new Map(files);
}

function readSwaggerFile(name: string): Buffer {
  return readOrFail(name, () => {
    const require = createRequire(join(import.meta.dirname, 'docs.routes.ts'));
    return readFileSync(join(dirname(require.resolve('swagger-ui-dist/package.json')), name));
  });
}

function readOrFail<Content>(name: string, read: () => Content): Content {
  try {
    return read();
  } catch (cause) {
    throw new StartError(`the files of the documentation page can not be read: ${name}`, { cause });
  }
}

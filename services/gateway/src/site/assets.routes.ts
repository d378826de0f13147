import { mountPath, StartError } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { CORS_HEADER_NAMES } from '../operations/cors.routes.ts';
import { compressFully } from '../operations/send-response.routes.ts';
import { sendStaticFile, staticFile } from '../documents/static-file.routes.ts';
import type { Assets } from '@lobbystats/site/bundle';
import { SERVICE_WORKER } from '@lobbystats/site';

/** A year: the name changes with the content. */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  Vary: 'Accept-Encoding',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const WORKER_HEADERS = {
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
  // Its own, not that of the pages: it fetches them.
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
};

/** @throws StartError when scripts and styles can't be bundled */
export function bundled<Result>(bundle: () => Result): Result {
  try {
    return bundle();
  } catch (cause) {
    throw new StartError('the scripts and styles of the site can not be bundled', { cause });
  }
}

export function mountAssets(app: Express, { files, pathOf }: Assets): void {
  const worker = pathOf('service-worker.js');
  for (const [path, { mediaType, bytes }] of files) {
    const file = staticFile(mediaType, bytes);
    mountPath(app, path, 'asset', (req, res) => {
      // Assets are for this site alone. A page loads 25 of them: these headers would add 3 KB.
      for (const name of CORS_HEADER_NAMES) res.removeHeader(name);
      return sendStaticFile(req, res, file, HEADERS, compressFully);
    });
    // Its path stays the same, and decides which pages it serves.
    if (path === worker)
      mountPath(app, SERVICE_WORKER, 'asset', (req, res) => sendStaticFile(req, res, file, WORKER_HEADERS));
  }
}

import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { readServiceAuth } from '@lobbystats/service-auth/sources';
import { mountPath, StartError } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { staticFile, sendStaticFile, type StaticFile } from './static-file.server.ts';

/** Files of the documentation page. */
const FILES = ['docs.js', 'docs.css', 'favicon.svg'];
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Revalidated: the names stay the same. */
const HEADERS = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };

/**
 * Reads the files with fixed names: the browser SDK with the address of its auth service, and those under `/assets/`.
 *
 * @throws StartError when one is missing
 */
export function readSiteFiles(
  authPublicUrl: string,
  directory = join(import.meta.dirname, '../site'),
): ReadonlyMap<string, StaticFile> {
  const sdk = Object.entries(readServiceAuth(authPublicUrl)).map(
    ([name, text]) => [`/${name}`, Buffer.from(text)] as const,
  );
  const assets = FILES.map((name) => [`/assets/${name}`, readFile(directory, name)] as const);
  const files = [...sdk, ...assets].flatMap(([path, bytes]) => {
    const mediaType = MEDIA_TYPES[extname(path)];
    return mediaType === undefined ? [] : [[path, staticFile(mediaType, bytes)] as const];
  });
  return new Map(files);
}

export function mountSiteFiles(app: Express, files: ReadonlyMap<string, StaticFile>): void {
  for (const [path, file] of files) {
    mountPath(app, path, 'site', (req, res) => sendStaticFile(req, res, file, HEADERS));
  }
}

function readFile(directory: string, name: string): Buffer {
  try {
    return readFileSync(join(directory, name));
  } catch (cause) {
    throw new StartError(`a file of the site can not be read: ${join(directory, name)}`, { cause });
  }
}

import { extname } from 'node:path';
import { readServiceAuth } from '@lobbystats/service-auth/sources';
import { mountPath } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { staticFile, sendStaticFile } from './static-file.server.ts';

const MEDIA_TYPE = 'text/javascript; charset=utf-8';
const SCRIPTS = ['.js', '.mjs'];
/** Revalidated: the names stay the same. */
const HEADERS = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };

/** Mounts the browser SDK, with the address of its auth service. */
export function mountBrowserSdk(app: Express, authPublicUrl: string): void {
  for (const [name, text] of Object.entries(readServiceAuth(authPublicUrl))) {
    if (!SCRIPTS.includes(extname(name))) continue;
    const file = staticFile(MEDIA_TYPE, Buffer.from(text));
    mountPath(app, `/${name}`, 'sdk', (req, res) => sendStaticFile(req, res, file, HEADERS));
  }
}

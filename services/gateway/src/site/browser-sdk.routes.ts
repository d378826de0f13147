import { extname } from 'node:path';
import { readServiceAuth } from '@lobbystats/service-auth/sources';
import { mountPath } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { bundled } from './assets.routes.ts';
import { bundleModule } from '@lobbystats/site/bundle';
import { links } from '@lobbystats/site/links';
import { staticFile, sendStaticFile } from '../documents/static-file.routes.ts';

let client: Buffer | undefined;

const MEDIA_TYPE = 'text/javascript; charset=utf-8';
const SCRIPTS = ['.js', '.mjs'];
/** Revalidated: the names stay the same. */
const HEADERS = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };

/** Mounts the browser SDK, with the address of its auth service, and the client of the API. */
export function mountBrowserSdk(app: Express, authPublicUrl: string): void {
  const mount = (path: string, bytes: Buffer) => {
    const file = staticFile(MEDIA_TYPE, bytes);
    mountPath(app, path, 'sdk', (req, res) => sendStaticFile(req, res, file, HEADERS));
  };
  for (const [name, text] of Object.entries(readServiceAuth(authPublicUrl))) {
    if (SCRIPTS.includes(extname(name))) mount(`/${name}`, Buffer.from(text));
  }
  client ??= bundled(() => bundleModule('@lobbystats/client'));
  mount(links.client, client);
}

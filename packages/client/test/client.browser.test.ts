import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cleanUp, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';

const SOURCES = join(import.meta.dirname, '../src');

let browser: Browser;
let url: string;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
  const server = createServer((req, res) => {
    const { pathname } = new URL(String(req.url), 'http://any');
    const isCode = /^\/(?:generated\/)?[\w-]+\.ts$/.test(pathname);
    const isApi = pathname.startsWith('/api/');
    res.writeHead(isApi && pathname.endsWith('00') ? 404 : 200, {
      'Content-Type': isCode ? 'text/javascript' : isApi ? 'application/json' : 'text/html',
    });
    if (isCode) res.end(stripTypeScriptTypes(readFileSync(join(SOURCES, pathname), 'utf8')));
    else if (isApi) res.end(JSON.stringify(pathname.endsWith('00') ? { error: 'Unknown title' } : { url: req.url }));
    else res.end('<!doctype html><title>client</title><link rel="icon" href="data:," />');
  });
  cleanUp(() => {
    server.close();
    server.closeAllConnections();
  }, 'file');
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 60_000);

it('the client sources run in a browser after type stripping', async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(url);
  const result = await page.evaluate(`(async () => {
    const { createClient, ApiError } = await import('/index.ts');
    const client = createClient({ baseUrl: location.origin });
    const { listChanges } = client;
    const error = await client.getGame({ titleId: '00000000' }).catch((thrown) => thrown);
    return [await listChanges({ limit: 2 }), error instanceof ApiError, error.status, error.message];
  })()`);
  expect(result).toEqual([{ url: '/api/changes?limit=2' }, true, 404, 'Unknown title']);
  expect(faults).toEqual([]);
}, 60_000);

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOperations } from '@lobbystats/contracts';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { readSite } from '../src/http/site.ts';
import { askRaw } from './ask.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';

const folder = join(import.meta.dirname, '../src/site');
const files = readdirSync(folder);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const options = { network: 'simulated', version: '1.2.3', networkPublicUrl: 'http://127.0.0.1:8090' };

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file', env: { NETWORK_PUBLIC_URL: 'https://icons.example:8443/path/' } });
});

describe('the page', () => {
  it('is at / as HTML, filled in', async () => {
    const { status, headers, text } = await gateway.ask('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('data-network="simulated"');
    expect(text).toContain('0.1.0');
    expect(text).not.toContain('{{');
  });

  it('lets nothing in but its own files and the network’s icons', async () => {
    for (const path of ['/', '/assets/main.js', '/assets/style.css']) {
      const { headers } = await gateway.ask(path);
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https://icons.example:8443; " +
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      });
    }
  });

  it.each(files.filter((name) => name !== 'index.html'))(
    'has its file %s as it is, by its media type',
    async (name) => {
      const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' };
      const { status, headers, text } = await gateway.ask(`/assets/${name}`);
      expect([status, text]).toEqual([200, read(name)]);
      expect(headers['content-type']).toBe(types[name.split('.').at(-1) as keyof typeof types]);
      const again = await gateway.ask(`/assets/${name}`, { headers: { 'If-None-Match': headers.etag } });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    },
  );

  it('asks for nothing that is not there', async () => {
    const wanted = files.flatMap((name) => Array.from(read(name).matchAll(/\/assets\/[\w.-]+/g), ([path]) => path));
    expect(wanted).not.toEqual([]);
    for (const path of new Set(wanted)) expect([path, (await gateway.ask(path)).status]).toEqual([path, 200]);
  });

  it('names no path that the contracts do not have', () => {
    const known = new Set(allOperations.map(({ path }) => path.replace(/:\w+/, '…')));
    const named = files.flatMap((name) =>
      Array.from(read(name).matchAll(/\/api\/[\w/$.{}-]+/g), ([path]) => path.replace(/\$\{[\w.]+\}/, '…')),
    );
    expect(named).not.toEqual([]);
    expect(named.filter((path) => !known.has(path))).toEqual([]);
  });

  it.each([
    '/assets/',
    '/assets/nothing.js',
    '/assets/index.html',
    '/index.html',
    '/assets/../service.ts',
    '/assets/..%2fservice.ts',
    '/assets/%2e%2e/service.ts',
    '/assets/..%5c..%5cpackage.json',
    '/assets/main.js%00',
    '/assets//main.js',
    '/assets/%2fetc%2fpasswd',
  ])('has nothing at %s', async (path) => {
    const { status, headers, body } = await gateway.ask(path);
    expect([status, body]).toEqual([404, { error: 'Unknown route' }]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('can not be led out of its folder', async () => {
    const request = 'GET /assets/../../package.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await askRaw(gateway.url, request)).toMatch(/^HTTP\/1\.1 404 [^]*\{"error":"Unknown route"\}$/);
  });
});

describe('the page’s files', () => {
  it('have the network’s name as text, whatever it is', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'index.html'), '<p title="{{network}}">{{version}} {{other}}</p>');
    writeFileSync(join(directory, 'main.js'), '// {{network}}');
    writeFileSync(join(directory, 'notes.txt'), 'not served');
    const { files: served } = readSite({ ...options, network: `"><script>&'$&` }, directory);
    expect(served.map(({ path, body }) => [path, body.toString()])).toEqual([
      ['/', '<p title="&#34;&#62;&#60;script&#62;&#38;&#39;$&#38;">1.2.3 {{other}}</p>'],
      ['/assets/main.js', '// {{network}}'],
    ]);
  });

  it('must be there', () => {
    const empty = temporaryDirectory();
    expect(() => readSite(options, empty)).toThrow(`the page's files lack index.html: ${empty}`);
    const nowhere = join(empty, 'nowhere');
    expect(() => readSite(options, nowhere)).toThrow(`the page's files can not be read from ${nowhere}`);
  });
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOperations, streamEvents } from '@lobbystats/contracts';
import { OPENAPI_PATH } from '@lobbystats/openapi';
import { readVersion } from '@lobbystats/service-kit';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { DOCS_PATH } from '../src/documents/docs.routes.ts';
import { readSite } from '../src/documents/site.routes.ts';
import { sendRaw } from '@lobbystats/test-kit/send-request';
import { runGateway, type RunningGateway } from './running-gateway.ts';

const folder = join(import.meta.dirname, '../src/site');
const files = readdirSync(folder);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const pages = { 'index.html': '/', 'login.html': '/login' };
const options = {
  network: 'simulated',
  version: '1.2.3',
  networkPublicUrl: 'http://127.0.0.1:8090',
  authPublicUrl: 'http://127.0.0.1:8090',
};

let gateway: RunningGateway;

beforeAll(async () => {
  const env = {
    NETWORK_PUBLIC_URL: 'https://icons.example:8443/path/',
    AUTH_PUBLIC_URL: 'https://auth.example:9443/sign-in/',
  };
  gateway = await runGateway({ scope: 'file', env });
});

describe('web site', () => {
  it.each(Object.values(pages))('serves the page %s as HTML with its placeholders filled in', async (path) => {
    const { status, headers, text } = await gateway.request(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('data-network="simulated"');
    expect(text).toContain(readVersion());
    expect(text).not.toContain('{{');
  });

  it('allows only its own files, network icons and connections to the auth service in its CSP', async () => {
    for (const path of ['/', '/login', '/assets/main.js', '/assets/style.css']) {
      const { headers } = await gateway.request(path);
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https://icons.example:8443; " +
          "connect-src 'self' https://auth.example:9443; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      });
    }
  });

  it('uses AUTH_URL as the public auth URL by default', async () => {
    const policyOf = async (env: Record<string, string>) =>
      (await (await runGateway({ env })).request('/login')).headers['content-security-policy'];
    expect(await policyOf({})).toContain("connect-src 'self' http://127.0.0.1:8090;");
    expect(await policyOf({ AUTH_URL: 'http://auth.internal:9000' })).toContain("'self' http://auth.internal:9000;");
  });

  it.each(files.filter((name) => !(name in pages)))(
    'serves the file %s unchanged with its media type',
    async (name) => {
      const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' };
      const { status, headers, text } = await gateway.request(`/assets/${name}`);
      expect([status, text]).toEqual([200, read(name)]);
      expect(headers['content-type']).toBe(types[name.split('.').at(-1) as keyof typeof types]);
      const again = await gateway.request(`/assets/${name}`, { headers: { 'If-None-Match': headers.etag } });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    },
  );

  it.each(['/', '/assets/main.js', '/service-auth.js'])('compresses %s on request', async (path) => {
    const plain = await gateway.request(path);
    const packed = await fetch(gateway.url + path, { headers: { 'Accept-Encoding': 'br', Connection: 'close' } });
    expect([await packed.text(), packed.headers.get('content-encoding')]).toEqual([plain.text, 'br']);
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 2);
    expect(packed.headers.get('etag')).not.toBe(plain.headers.etag);
  });

  it('references only paths that exist', async () => {
    const linkedPaths = files.flatMap((name) =>
      Array.from(read(name).matchAll(/\/assets\/[\w.-]+|(?<=(?:href|src)=")\/[\w.-]*(?=")/g), ([path]) => path),
    );
    expect(linkedPaths).toEqual(expect.arrayContaining(['/', '/login', '/service-auth.js', '/assets/style.css']));
    for (const path of new Set(linkedPaths)) expect([path, (await gateway.request(path)).status]).toEqual([path, 200]);
  });

  it('links from its first page to the documentation and the OpenAPI document', async () => {
    const { text } = await gateway.request('/');
    for (const path of [DOCS_PATH, OPENAPI_PATH]) {
      expect(text).toContain(`href="${path}"`);
      expect([path, (await gateway.request(path)).status]).toEqual([path, 200]);
    }
  });

  it('names only API paths that are in the contracts', () => {
    const described = [...allOperations, streamEvents, { path: OPENAPI_PATH }];
    const known = new Set(described.map(({ path }) => path.replace(/:\w+/, '…')));
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
    '/login.html',
    '/assets/login.html',
    '/service-auth.d.ts',
    '/assets/service-auth.js',
    '/assets/../service.ts',
    '/assets/..%2fservice.ts',
    '/assets/%2e%2e/service.ts',
    '/assets/..%5c..%5cpackage.json',
    '/assets/main.js%00',
    '/assets//main.js',
    '/assets/%2fetc%2fpasswd',
  ])('answers %s with 404', async (path) => {
    const { status, headers, body } = await gateway.request(path);
    expect([status, body]).toEqual([404, { error: 'Unknown route' }]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('does not serve files outside of its folder', async () => {
    const request = 'GET /assets/../../package.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(gateway.url, request)).toMatch(/^HTTP\/1\.1 404 [^]*\{"error":"Unknown route"\}$/);
  });
});

describe('browser SDK', () => {
  it.each(['/service-auth.js', '/service-auth.mjs'])('is served at %s to pages of any origin', async (path) => {
    const { status, headers, text } = await gateway.request(path, { headers: { Origin: 'https://fans.example' } });
    expect([status, text]).toEqual([200, expect.stringContaining('ServiceAuth')]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    const again = await gateway.request(path, { headers: { 'If-None-Match': headers.etag } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
  });

  it('contains the URL of the auth service', async () => {
    const { text } = await gateway.request('/service-auth.js');
    expect(text).toContain("'https://auth.example:9443/sign-in/api'");
    expect(text).not.toContain('{{authUrl}}');
  });
});

describe('site files', () => {
  it('contain the name of the network as escaped text', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'index.html'), '<p title="{{network}}">{{version}} {{other}}</p>');
    writeFileSync(join(directory, 'main.js'), '// {{network}}');
    writeFileSync(join(directory, 'notes.txt'), 'not served');
    writeFileSync(join(directory, 'login.html'), '{{authUrl}}');
    const { files: served } = readSite({ ...options, network: `"><script>&'$&` }, directory);
    const texts = Array.from(served, ([path, { bodies }]) => [path, bodies.identity.bytes.toString()]);
    expect(texts.slice(0, -2)).toEqual([
      ['/', '<p title="&#34;&#62;&#60;script&#62;&#38;&#39;$&#38;">1.2.3 {{other}}</p>'],
      ['/login', options.authPublicUrl],
      ['/assets/main.js', '// {{network}}'],
    ]);
    expect([...served.keys()].slice(-2)).toEqual(['/service-auth.js', '/service-auth.mjs']);
  });

  it('fail the start when they are missing', () => {
    const empty = temporaryDirectory();
    expect(() => readSite(options, empty)).toThrow(`the page's files lack index.html: ${empty}`);
    const nowhere = join(empty, 'nowhere');
    expect(() => readSite(options, nowhere)).toThrow(`the page's files can not be read from ${nowhere}`);
  });
});

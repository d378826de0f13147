import { OPENAPI_PATH } from '@lobbystats/contracts';
import { links } from '@lobbystats/site/links';
import { sendRaw } from '@lobbystats/test-kit/send-request';
import { readPage } from './page-text.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file', env: { AUTH_PUBLIC_URL: 'https://auth.example:9443/sign-in/' } });
});

describe('web site', () => {
  it('allows only its own files and connections to the auth service in its CSP', async () => {
    for (const path of ['/', '/login', '/me', '/nothing']) {
      const { headers } = await readPage(gateway, path);
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
          "connect-src 'self' https://auth.example:9443; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  it('names the color of its pages to the browser, as its style sheet has it', async () => {
    const page = await readPage(gateway, '/');
    const colors = Array.from(page.document.querySelectorAll('meta[name="theme-color"]'), (meta) =>
      meta.getAttribute('content'),
    );
    const { text } = await gateway.request(page.links('link[rel="stylesheet"]')[0] ?? '');
    expect(/--page:\s*light-dark\((#\w+), ?(#\w+)\)/.exec(text)?.slice(1)).toEqual(colors);
  });

  it('uses AUTH_URL as the public auth URL by default', async () => {
    const policyOf = async (env: Record<string, string>) =>
      (await readPage(await runGateway({ env }), '/login')).headers['content-security-policy'];
    expect(await policyOf({})).toContain("connect-src 'self' http://127.0.0.1:8090;");
    expect(await policyOf({ AUTH_URL: 'http://auth.internal:9000' })).toContain("'self' http://auth.internal:9000;");
  });

  it('serves its style and script under names that never change their content', async () => {
    const { document } = await readPage(gateway, '/login');
    const style = document.querySelector('link[rel="stylesheet"]')?.getAttribute('href') ?? '';
    const script = document.querySelector('script[src]')?.getAttribute('src') ?? '';
    for (const [path, type] of [
      [style, 'text/css; charset=utf-8'],
      [script, 'text/javascript; charset=utf-8'],
    ] as const) {
      const { status, headers } = await gateway.request(path);
      expect([path, status]).toEqual([expect.stringMatching(/^\/assets\/\w+-[A-Z0-9]{8}\.(css|js)$/), 200]);
      expect(headers).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
      });
      // A page loads 25 assets: each is without the headers for scripts of other origins.
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      const again = await gateway.request(path, { headers: { 'If-None-Match': headers.etag } });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });

  it.each(['/', '/login', '/service-auth.js'])('compresses %s on request', async (path) => {
    const plain = await gateway.request(path);
    const packed = await fetch(gateway.url + path, { headers: { 'Accept-Encoding': 'br', Connection: 'close' } });
    expect([await packed.text(), packed.headers.get('content-encoding')]).toEqual([plain.text, 'br']);
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 2);
    expect(packed.headers.get('etag')).not.toBe(plain.headers.etag);
  });

  it('links from its first page to the documentation and the OpenAPI document', async () => {
    const linked = (await readPage(gateway, '/')).links('a');
    for (const path of [links.docs, OPENAPI_PATH]) {
      expect(linked).toContain(path);
      expect([path, (await gateway.request(path)).status]).toEqual([path, 200]);
    }
  });

  it.each([
    '/assets',
    '/assets/nothing.js',
    '/login.html',
    '/assets/login.html',
    '/assets/page.ts',
    '/service-auth.d.ts',
    '/assets/service-auth.js',
    '/assets/../service.ts',
    '/assets/..%2fservice.ts',
    '/assets/%2e%2e/service.ts',
    '/assets/..%5c..%5cpackage.json',
    '/assets/docs.js%00',
    '/assets//docs.js',
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

  it('comes with the client of the API, one module without imports for any origin', async () => {
    const { status, headers, text } = await gateway.request('/client.mjs');
    expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache' });
    expect(text).toMatch(/export\s*\{[^}]*\bcreateClient\b/);
    expect(text).not.toMatch(/\bimport\s*["'{*]/);
  });

  it('contains the URL of the auth service', async () => {
    const { text } = await gateway.request('/service-auth.js');
    expect(text).toContain("'https://auth.example:9443/sign-in/api'");
    expect(text).not.toContain('{{authUrl}}');
  });
});

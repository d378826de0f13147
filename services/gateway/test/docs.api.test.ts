import { allOperations, pathsOf } from '@lobbystats/contracts';
import { OPENAPI_PATH, type OpenApiDocument } from '@lobbystats/openapi';
import { runGateway, type RunningGateway } from './running-gateway.ts';

const publicUrl = 'https://stats.example';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file', env: { PUBLIC_URL: `${publicUrl}/` } });
});

describe('OpenAPI document', () => {
  it('is served as JSON to any origin and names the public URL', async () => {
    const { status, headers, body } = await gateway.request(OPENAPI_PATH);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'public, no-cache' });
    const { openapi, servers, info, paths } = body as OpenApiDocument;
    expect(openapi).toBe('3.1.1');
    expect(servers).toEqual([{ url: publicUrl, description: expect.any(String) }]);
    expect(info.version).toMatch(/^\d+\.\d+\.\d+$/);
    const publicPaths = allOperations.filter(({ audience }) => audience === 'public').flatMap(pathsOf);
    const templates = publicPaths.map((path) => path.replace(/:(\w+)/g, '{$1}'));
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(templates));
    expect(JSON.stringify(paths)).not.toContain('/internal/');
  });

  it.each(['br', 'gzip'])('is compressed with %s on request, with an ETag of its own', async (encoding) => {
    const plain = await gateway.request(OPENAPI_PATH);
    const asked = { 'Accept-Encoding': encoding, Connection: 'close' };
    const answer = await fetch(gateway.url + OPENAPI_PATH, { headers: asked });
    expect(await answer.text()).toBe(plain.text);
    const { headers } = answer;
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([encoding, 'Accept-Encoding']);
    expect(Number(headers.get('content-length'))).toBeLessThan(plain.text.length / 5);
    const tag = String(headers.get('etag'));
    expect(tag).not.toBe(plain.headers.etag);
    const again = await gateway.request(OPENAPI_PATH, { headers: { ...asked, 'If-None-Match': tag } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', tag]);
    expect(await gateway.request(OPENAPI_PATH, { headers: { 'If-None-Match': tag } })).toMatchObject({ status: 200 });
  });

  it('answers HEAD with the headers of GET, and POST with 405', async () => {
    const [head, get] = [await gateway.request(OPENAPI_PATH, { method: 'HEAD' }), await gateway.request(OPENAPI_PATH)];
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', get.headers.etag]);
    expect(await gateway.request(OPENAPI_PATH, { method: 'POST' })).toMatchObject({ status: 405 });
  });
});

describe('documentation page', () => {
  it('allows only its own files in its content security policy', async () => {
    const { status, headers, text } = await gateway.request('/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
    );
    expect(policy).not.toMatch(/unsafe|http/);
    const linkedPaths = Array.from(text.matchAll(/(?:href|src)="([^"]+)"/g), ([, path = '']) => path);
    expect(linkedPaths).toEqual(
      expect.arrayContaining(['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', OPENAPI_PATH]),
    );
    for (const path of linkedPaths) expect([path, (await gateway.request(path)).status]).toEqual([path, 200]);
  });

  it.each(['/docs/index.html', '/docs/swagger-ui.js', '/docs/../package.json', '/docs/%2e%2e/package.json'])(
    'answers %s with 404',
    async (path) => {
      expect(await gateway.request(path)).toMatchObject({ status: 404, body: { error: 'Unknown route' } });
    },
  );
});

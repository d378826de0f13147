import { allOperations, API_VERSION, operations, pathsOf } from '@lobbystats/contracts';
import { OPENAPI_PATH } from '@lobbystats/contracts';
import type { OpenApiDocument } from '@lobbystats/contracts/openapi';
import { links } from '@lobbystats/site/links';
import { readPage } from './page-text.ts';
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

describe('index of the API', () => {
  it('lists every operation at each of its paths, with a link to the documentation', async () => {
    const { body: document } = await gateway.request(OPENAPI_PATH);
    const { status, headers, body } = await gateway.request(operations.getApiIndex.path);
    expect([status, headers['last-modified']]).toEqual([200, undefined]);
    const index = operations.getApiIndex.response.parse(body);
    expect([index.docs, index.openapi]).toEqual(['/docs', OPENAPI_PATH]);
    const described = Object.entries((document as OpenApiDocument).paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, summary, tags }]) => ({
        ...{ id: operationId, method: method.toUpperCase(), path, summary },
        docs: `/docs#/${tags.join()}/${operationId}`,
      })),
    );
    expect(index.operations).toEqual(described);
    expect(index.operations.map(({ path }) => path)).toContain('/api/title/{titleId}');
  });

  it('is answered without an upstream request, with 304 for its ETag', async () => {
    const first = await gateway.request(operations.getApiIndex.path);
    const again = await gateway.request(operations.getApiIndex.path, {
      headers: { 'If-None-Match': String(first.headers.etag) },
    });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(gateway.catalog.requests.filter(({ url }) => url !== operations.listTitles.path)).toEqual([]);
  });
});

describe('version of the API', () => {
  it('names the release, the API version and the form, and nothing of the runtime', async () => {
    const { status, body } = await gateway.request(operations.getApiVersion.path);
    const version = expect.stringMatching(/^\d+\.\d+\.\d+$/);
    expect([status, body]).toEqual([200, { version, apiVersion: API_VERSION, form: 'standalone' }]);
  });
});

describe('documentation page', () => {
  it('wears the header and footer of the site, and names the document for readers without JavaScript', async () => {
    const page = await readPage(gateway, links.docs);
    expect(page.texts('h1')).toEqual(['The API']);
    expect(page.links('header nav a')).toContain(links.games());
    expect(page.links('footer a')).toContain(links.guide);
    expect(page.text('main noscript')).toContain('JavaScript is off');
    expect(page.links('link[rel=alternate]')).toEqual([OPENAPI_PATH]);
    const index = (await gateway.request(operations.getApiIndex.path)).body as { operations: { path: string }[] };
    expect(page.texts('#operation-lists tbody code').toSorted()).toEqual(
      index.operations.map(({ path }) => path).toSorted(),
    );
  });

  it('allows only its own files in its content security policy, and connections to the auth service', async () => {
    const { status, headers, text } = await gateway.request('/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' http://127.0.0.1:8090;",
    );
    expect(policy).not.toMatch(/unsafe|https/);
    const linkedPaths = Array.from(
      text.matchAll(/(?:href|src|data-style|data-script)="([^"]+)"/g),
      ([, path = '']) => path,
    );
    expect(linkedPaths).toEqual(
      expect.arrayContaining(['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', OPENAPI_PATH]),
    );
    // A browser keeps the fragment for itself.
    const paths = linkedPaths.filter((path) => path.startsWith('/')).map((path) => path.replace(/#.*/, ''));
    for (const path of paths) expect([path, (await gateway.request(path)).status]).toEqual([path, 200]);
  });

  it.each(['/docs/index.html', '/docs/swagger-ui.js', '/docs/../package.json', '/docs/%2e%2e/package.json'])(
    'answers %s with 404',
    async (path) => {
      expect(await gateway.request(path)).toMatchObject({ status: 404, body: { error: 'Unknown route' } });
    },
  );
});

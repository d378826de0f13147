import { operations } from '@lobbystats/contracts';
import { getJson } from '@lobbystats/test-kit';
import { sendRaw } from '@lobbystats/test-kit/send-request';
import { HARBOR } from './network.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';

const GAMES = operations.listGames.path;
const GAME = operations.getGame.path.replace(':titleId', HARBOR.titleId);
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Last-Modified, X-Request-Id, Retry-After, Link',
};

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file' });
});

beforeEach(() => {
  gateway.catalog.requests.length = 0;
});

describe('HEAD', () => {
  it.each([GAME, operations.getOnlineUsers.path, '/', '/healthz', `${GAME}x`, `${GAMES}?limit=0`])(
    'returns the headers of GET %s without a body',
    async (path) => {
      const [head, get] = [await gateway.request(path, { method: 'HEAD' }), await gateway.request(path)];
      expect([head.status, head.text]).toEqual([get.status, '']);
      for (const headers of [head.headers, get.headers]) {
        delete headers.date;
        delete headers['x-request-id'];
      }
      expect(head.headers).toEqual(get.headers);
    },
  );
});

describe('HTTP method', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is rejected with 405 on a GET route', async (method) => {
    for (const path of [GAME, String(operations.getGame.gamePath).replace(':game', 'x'), '/']) {
      const { status, headers, body } = await gateway.request(path, { method });
      expect([status, body]).toEqual([405, { error: 'Method not allowed' }]);
      expect(headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS', 'cache-control': 'no-store', ...CORS });
    }
    expect(gateway.catalog.requests).toEqual([]);
  });

  it('is taken from the request line only, not from override headers', async () => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-Forwarded-Method': 'POST' };
    const { status } = await gateway.request(GAME, { headers });
    expect(status).toBe(200);
  });
});

describe('CORS', () => {
  it.each([GAME, '/api/nothing', '/assets/nothing.js', '/', '*'])(
    'answers the preflight request for %s',
    async (path) => {
      const headers = {
        Origin: 'https://fans.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-session-key',
      };
      const answer = await gateway.request(path, { method: 'OPTIONS', headers });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(answer.headers).toMatchObject({
        ...CORS,
        'access-control-allow-methods': 'GET, HEAD, POST, PATCH, OPTIONS',
        'access-control-allow-headers': 'Content-Type, X-Session-Key, If-None-Match, Last-Event-ID',
        'access-control-max-age': '86400',
      });
      expect(gateway.catalog.requests).toEqual([]);
    },
  );

  it.each([
    [200, GAME],
    [400, `${GAMES}?limit=0`],
    [400, `${GAMES}/%FF`],
    [404, '/api/nothing'],
    [404, `${GAME}0`],
    [200, '/healthz'],
  ])('lets any origin read a %s of %s, without credentials', async (expected, path) => {
    const { status, headers } = await gateway.request(path, { headers: { Origin: 'null', Cookie: 'a=b' } });
    expect(status).toBe(expected);
    expect(headers).toMatchObject(CORS);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('lets any origin read a 414', async () => {
    const { status, headers, body } = await gateway.request(`/${'x'.repeat(9000)}`);
    expect([status, body]).toEqual([414, { error: expect.any(String) }]);
    expect(headers).toMatchObject(CORS);
  });

  it.each([
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'GET /api/game/\xe9 HTTP/1.1\r\nHost: a\r\n\r\n',
    'nonsense\r\n\r\n',
  ])('lets any origin read the 400 for %j', async (bytes) => {
    const received = await sendRaw(gateway.url, bytes.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toMatch(/\r\nAccess-Control-Allow-Origin: \*\r\n/);
    expect(received).toMatch(/\r\nX-Request-Id: [\w-]+\r\n/);
    expect(received).toMatch(/\r\n\r\n\{"error":"[^"]+"\}$/);
    expect(gateway.catalog.requests).toEqual([]);
  });
});

describe('forwarded request', () => {
  it.each(['a', 'A.b_c-9', 'x'.repeat(64)])('keeps its request ID %s toward the upstream', async (id) => {
    const { headers } = await gateway.request(GAME, { headers: { 'X-Request-Id': id } });
    expect(headers['x-request-id']).toBe(id);
    expect(gateway.catalog.requests[0]?.headers['x-request-id']).toBe(id);
  });

  it.each(['', 'a b', 'ä', 'x'.repeat(65), '${jndi:ldap://x}', 'a,b'])(
    'gets a new request ID in place of the invalid "%s"',
    async (id) => {
      const { headers } = await gateway.request(GAME, {
        headers: { 'X-Request-Id': Buffer.from(id).toString('latin1') },
      });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(gateway.catalog.requests[0]?.headers['x-request-id']).toBe(headers['x-request-id']);
    },
  );

  it('carries only its trace context and request ID to the upstream', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = {
      Cookie: 'session=1',
      Authorization: 'Bearer x',
      'X-Session-Key': 'key',
      'X-Forwarded-For': '10.0.0.1',
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example',
      'Accept-Encoding': 'gzip',
      Accept: 'text/csv',
      'If-None-Match': '"x"',
      Range: 'bytes=0-1',
      Origin: 'https://fans.example',
      'User-Agent': 'fan',
      traceparent,
      tracestate: 'x=y',
    };
    const { status } = await gateway.request(`${GAME}?sessionKey=key`, { headers });
    expect(status).toBe(200);
    const { url, headers: seen } = gateway.catalog.requests[0]!;
    expect(url).toBe(GAME);
    expect(Object.keys(seen).toSorted()).toEqual(['connection', 'host', 'traceparent', 'x-request-id']);
    expect(seen['traceparent']).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/);
  });

  it('gets the same bytes whatever its unkeyed headers are', async () => {
    const plain = await gateway.request(operations.getOnlineUsers.path);
    const headers = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      'X-Session-Key': 'key',
      Accept: 'text/csv',
    };
    const other = await gateway.request(`${operations.getOnlineUsers.path}?x=random`, { headers });
    expect([other.text, other.headers.etag]).toEqual([plain.text, plain.headers.etag]);
  });

  it('may have an absolute URL as its target, as proxies send it', async () => {
    const request = `GET ${gateway.url}${GAME} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(gateway.url, request)).toMatch(/^HTTP\/1\.1 200 [^]*"name":"Harbor Racing"/);
  });
});

describe('health endpoints', () => {
  it('report alive, and ready once the titles are loaded', async () => {
    const alive = await getJson(`${gateway.url}/healthz`);
    expect([alive.status, alive.body]).toEqual([200, { status: 'alive', service: 'gateway' }]);
    const ready = await getJson(`${gateway.url}/readyz`);
    expect([ready.status, ready.body]).toEqual([
      200,
      {
        status: 'ready',
        service: 'gateway',
        network: { origin: 'simulated', simulated: true },
        dependencies: { titles: { status: 'up' } },
      },
    ]);
    expect(ready.headers.get('cache-control')).toBe('no-store');
  });
});

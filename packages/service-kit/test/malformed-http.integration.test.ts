import { getJson } from '@lobbystats/test-kit';
import { startExample } from './example-service.ts';
import { exchange } from './raw-exchange.ts';

const host = 'Host: example\r\n';

describe('malformed HTTP', () => {
  it.each([
    ['NUL in a header', `GET / HTTP/1.1\r\n${host}X-Y: a\0b\r\n\r\n`],
    ['a bare CR in a header', `GET / HTTP/1.1\r\n${host}X-Y: a\rb\r\n\r\n`],
    ['a header line without a colon', `GET / HTTP/1.1\r\n${host}nonsense\r\n\r\n`],
    [
      'Content-Length with Transfer-Encoding',
      `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`],
    ['a negative length', `POST / HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`],
    ['an unknown method', `STEAL / HTTP/1.1\r\n${host}\r\n`],
    ['a space in the path', `GET /a b HTTP/1.1\r\n${host}\r\n`],
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('(%s) is answered with 400, {error} and a request id, and the connection is closed', async (_label, bytes) => {
    const { port } = await startExample();
    const { statusLine, headers, body } = await exchange(port, bytes);
    expect(statusLine).toBe('HTTP/1.1 400 Bad Request');
    expect(JSON.parse(body)).toEqual({ error: 'Malformed request' });
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
    expect(headers.get('connection')).toBe('close');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['NUL in the path', `GET /a\0b HTTP/1.1\r\n${host}\r\n`],
    ['raw bytes in the path', Buffer.from(`GET /\u00ff HTTP/1.1\r\n${host}\r\n`, 'latin1')],
    ['text in the query that is not encoded', `GET /?q=Café HTTP/1.1\r\n${host}\r\n`],
  ])('(%s) is answered with 400 that names the encoding', async (_label, bytes) => {
    const { port } = await startExample();
    const { statusLine, body } = await exchange(port, bytes);
    expect(statusLine).toBe('HTTP/1.1 400 Bad Request');
    expect(JSON.parse(body)).toEqual({ error: 'The URL must be percent-encoded UTF-8' });
  });

  it.each([
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n'],
  ])('(%s) is answered with 400', async (_label, bytes) => {
    const { port } = await startExample();
    const { statusLine, body } = await exchange(port, bytes);
    expect(statusLine).toBe('HTTP/1.1 400 Bad Request');
    expect(JSON.parse(body)).toEqual({ error: 'There must be one Host header' });
  });

  it('(a request target that is not a URL) is answered with 404 {error}', async () => {
    const { port } = await startExample();
    const bytes = `GET http://[::bad/x HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
    const { statusLine, body } = await exchange(port, bytes);
    expect([statusLine, JSON.parse(body)]).toEqual(['HTTP/1.1 404 Not Found', { error: 'Unknown route' }]);
  });

  it.each([
    ['/total/', 404, 'Unknown route'],
    ['/TOTAL', 404, 'Unknown route'],
    ['//total', 404, 'Unknown route'],
    ['/./total', 404, 'Unknown route'],
    ['/tot%61l', 404, 'Unknown route'],
    ['/total#', 400, 'The URL must have no # and no backslash'],
    ['/a\\total', 400, 'The URL must have no # and no backslash'],
    ['/total\\', 400, 'The URL must have no # and no backslash'],
  ])('(%s) is no other spelling of a path', async (target, status, error) => {
    const { port } = await startExample();
    const { statusLine, body } = await exchange(port, `GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect([statusLine.split(' ')[1], JSON.parse(body)]).toEqual([String(status), { error }]);
  });

  it('(no Host in HTTP/1.0) is accepted', async () => {
    const { port } = await startExample();
    expect((await exchange(port, 'GET /healthz HTTP/1.0\r\n\r\n')).statusLine).toBe('HTTP/1.1 200 OK');
  });

  it('(headers over 16 KiB) is answered with 431', async () => {
    const { port } = await startExample();
    const { statusLine, body } = await exchange(port, `GET / HTTP/1.1\r\n${host}X-Y: ${'x'.repeat(17_000)}\r\n\r\n`);
    expect(statusLine).toBe('HTTP/1.1 431 Request Header Fields Too Large');
    expect(JSON.parse(body)).toEqual({ error: 'The headers are too large' });
  });

  it('(CONNECT) is answered with 405, and an unknown expectation with 417', async () => {
    const { port } = await startExample();
    const tunnel = await exchange(port, `CONNECT 10.0.0.1:80 HTTP/1.1\r\n${host}\r\n`);
    expect(tunnel.statusLine).toBe('HTTP/1.1 405 Method Not Allowed');
    expect(tunnel.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    const expecting = await exchange(port, `GET / HTTP/1.1\r\n${host}Expect: magic\r\nConnection: close\r\n\r\n`);
    expect(expecting.statusLine).toBe('HTTP/1.1 417 Expectation Failed');
    expect(Object.keys(JSON.parse(expecting.body) as object)).toEqual(['error']);
  });

  it('is answered with the default headers', async () => {
    const defaultHeaders = { 'Access-Control-Allow-Origin': '*' };
    const { url, port } = await startExample({ defaultHeaders });
    expect((await exchange(port, 'nonsense\r\n\r\n')).headers.get('access-control-allow-origin')).toBe('*');
    for (const path of ['/%', '/healthz', '/nowhere']) {
      expect((await getJson(url + path)).headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it('does not affect other requests or prototypes', async () => {
    const { url, port } = await startExample();
    await Promise.all(
      Array.from({ length: 50 }, () =>
        exchange(port, `GET / HTTP/1.1\r\n${host}__proto__: x\r\nconstructor: y\r\n\0\r\n`),
      ),
    );
    expect((await getJson(`${url}/healthz`)).status).toBe(200);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('slow HTTP', () => {
  it('is closed with one response', async () => {
    const { port } = await startExample();
    const answers = await Promise.all([
      exchange(port, ''),
      exchange(port, 'GET'),
      exchange(port, `GET / HTTP/1.1\r\n${host}X-Y: `),
      exchange(port, `POST /nowhere HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\nabc`),
    ]);
    const slow = {
      statusLine: 'HTTP/1.1 408 Request Timeout',
      body: '{"error":"The request took too long to come in"}',
    };
    expect(answers).toMatchObject([
      slow,
      slow,
      slow,
      { statusLine: 'HTTP/1.1 404 Not Found', body: '{"error":"Unknown route"}' },
    ]);
  });
});

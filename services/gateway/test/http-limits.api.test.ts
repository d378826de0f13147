import { allOperations, operations } from '@lobbystats/contracts';
import { unkeyedHeaders } from '@lobbystats/test-kit';
import { sendRaw } from '@lobbystats/test-kit/send-request';
import { HARBOR } from './network.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';
import { fillPath } from './sample-request.ts';

const GAME = operations.getGame.path.replace(':titleId', HARBOR.titleId);
const SEARCH = operations.searchByRanks.path;

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file' });
});

describe('ambiguous HTTP request', () => {
  const host = 'Host: example\r\n';
  const smuggled = `GET ${GAME} HTTP/1.1\r\n${host}\r\n`;
  const post = (headers: string, body: string) =>
    `POST ${SEARCH} HTTP/1.1\r\n${host}Content-Type: application/json\r\n${headers}\r\n${body}`;

  it.each([
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 50\r\n', `{}${smuggled}`)],
    ['a list of lengths', post('Content-Length: 2, 50\r\n', `{}${smuggled}`)],
    ['a length and chunks', post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`)],
    ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${smuggled}`)],
    ['chunks that are not the last coding', post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${smuggled}`)],
    ['an unknown coding', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`)],
    ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${smuggled}`)],
    ['a space before the colon', post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${smuggled}`)],
    ['a folded header', post('X: a\r\n b\r\nContent-Length: 2\r\n', `{}${smuggled}`)],
    ['a chunk of no length', post('Transfer-Encoding: chunked\r\n', `x\r\n\r\n${smuggled}`)],
    ['a chunk longer than it says', post('Transfer-Encoding: chunked\r\n', `2\r\n{}abc\r\n0\r\n\r\n${smuggled}`)],
    ['a length with a sign', post('Content-Length: +2\r\n', `{}${smuggled}`)],
    ['a length in hexadecimal', post('Content-Length: 0x2\r\n', `{}${smuggled}`)],
    ['NUL in a header', `GET ${GAME} HTTP/1.1\r\n${host}X: a\0b\r\n\r\n${smuggled}`],
    ['a bare CR in a header', `GET ${GAME} HTTP/1.1\r\n${host}X: a\rContent-Length: 9\r\n\r\n${smuggled}`],
    ['a bare LF in a header', `GET ${GAME} HTTP/1.1\r\n${host}X: a\nContent-Length: 9\r\n\r\n${smuggled}`],
    ['NUL in a path', `GET ${GAME}\0 HTTP/1.1\r\n${host}\r\n${smuggled}`],
    ['two hosts', `GET ${GAME} HTTP/1.1\r\n${host}Host: other\r\nConnection: close\r\n\r\n`],
  ])('with %s is 400, and nothing after it is read', async (_, bytes) => {
    gateway.catalog.requests.length = 0;
    const received = await sendRaw(gateway.url, bytes);
    expect(received.match(/^HTTP\/1\.1 .*$/gm)).toEqual(['HTTP/1.1 400 Bad Request']);
    expect(received).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/);
    expect(received).toMatch(/\r\n\r\n\{"error":"[^"]+"\}$/);
    expect(gateway.catalog.requests).toEqual([]);
  });
});

describe('unkeyed headers', () => {
  const odd = unkeyedHeaders(8000);

  it('do not change the bytes or headers of any response', async () => {
    const readable = allOperations.filter(({ audience, method }) => audience === 'public' && method === 'GET');
    for (const { path } of readable) {
      const target = fillPath(path);
      const [plain, dressed, again] = [
        await gateway.request(target),
        await gateway.request(target, { headers: odd }),
        await gateway.request(target),
      ];
      for (const { headers } of [plain, dressed, again]) {
        for (const name of ['date', 'x-request-id', 'age', 'cache-status', 'cache-control'])
          Reflect.deleteProperty(headers, name);
      }
      expect(dressed).toEqual(plain);
      expect(again).toEqual(plain);
    }
  });

  it('that are too large are rejected with 431 and do not affect later responses', async () => {
    const plain = await gateway.request(GAME);
    const refused = await gateway.request(GAME, { headers: { 'X-Padding': 'x'.repeat(17_000) } });
    expect([refused.status, refused.headers['cache-control']]).toEqual([431, 'no-store']);
    const after = await gateway.request(GAME);
    expect([after.status, after.text]).toEqual([200, plain.text]);
  });
});

describe('every response', () => {
  it.each([
    [GAME, {}],
    [`${GAME}x`, {}],
    ['/api/nothing', {}],
    ['/api/game/%', {}],
    [SEARCH, { method: 'POST', body: 'x' }],
    [GAME, { method: 'DELETE' }],
    [GAME, { method: 'OPTIONS' }],
    ['/', {}],
    ['/login', {}],
    ['/service-auth.js', {}],
    ['/healthz', {}],
  ] as const)('has the browser security headers: %s %j', async (path, options) => {
    const { headers } = await gateway.request(path, options);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
    });
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['server']).toBeUndefined();
  });
});

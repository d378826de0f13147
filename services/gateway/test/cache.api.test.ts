import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { operations } from '@lobbystats/contracts';
import { HARBOR } from './network.ts';
import { FOX, SESSION } from './user-responses.ts';
import { requestCount, HIT, runCached, cacheStatus } from './running-cache.ts';

const SERIES = operations.getOnlineSeries.path;
const GAME = operations.getGame.path.replace(':titleId', HARBOR.titleId);
const BY_NAME = String(operations.getGame.gamePath).replace(':game', 'harbor%20racing');
const REPUTATION = operations.getReputation.path.replace(':username', FOX);

describe('cached response', () => {
  it('is served for every spelling of its path with Cache-Status: hit, without an upstream request', async () => {
    const gateway = await runCached();
    expect(await cacheStatus(gateway, GAME)).toBe('lobbystats; fwd=uri-miss; stored');
    const spellings = [GAME, GAME.toUpperCase().replace('/API/TITLE', '/api/title'), BY_NAME, `${GAME}?x=random`];
    for (const spelling of [...spellings, ...spellings]) {
      const { status, headers } = await gateway.request(spelling, {
        headers: { 'X-Session-Key': 'k', Accept: 'text/csv' },
      });
      expect([status, headers['cache-status'], headers.age]).toEqual([200, HIT, '0']);
    }
    expect(requestCount(gateway.catalog, GAME)).toBe(1);
  });

  it('is shared by equivalent queries', async () => {
    const gateway = await runCached();
    const long = `?days=${'0'.repeat(1000)}1`;
    for (const query of ['', '?days=1', '?resolution=raw&days=01', '?days=1&unknown=2', '?format=json', long, long]) {
      expect((await gateway.request(SERIES + query)).status).toBe(200);
    }
    expect(requestCount(gateway.series, SERIES)).toBe(1);
    await gateway.request(`${SERIES}?days=2`);
    expect(requestCount(gateway.series, SERIES)).toBe(2);
  });

  it('is sent before the 400 for a malformed request that follows on the same connection', async () => {
    const gateway = await runCached();
    for (let i = 0; i < 2; i += 1) await gateway.request(SERIES);
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write(`GET ${SERIES} HTTP/1.1\r\nHost: x\r\n\r\nwhat is no HTTP\r\n\r\n`);
    const received = await text(socket);
    expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(received).toContain(HIT);
  });

  it('has the same headers and body on the fast path as behind Express', async () => {
    const gateway = await runCached();
    const [first, behind, inFront] = [
      await gateway.request(SERIES),
      await gateway.request(`${SERIES}?x`),
      await gateway.request(SERIES, { headers: { 'X-Request-Id': 'mine' } }),
    ];
    expect(inFront.headers['x-request-id']).toBe('mine');
    expect(inFront.text).toBe(first.text);
    for (const { headers } of [first, behind, inFront]) {
      delete headers.date;
      delete headers['x-request-id'];
    }
    expect(inFront.headers).toEqual(behind.headers);
    expect(inFront.headers).toEqual({ ...first.headers, age: '0', 'cache-status': HIT });
    for (const path of [SERIES, `${SERIES}?x`]) {
      const head = await gateway.request(path, { method: 'HEAD' });
      expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(first.text.length)]);
      const known = await gateway.request(path, { headers: { 'If-None-Match': `"x", ${String(first.headers.etag)}` } });
      expect([known.status, known.text, known.headers['content-length'], known.headers.etag]).toEqual([
        304,
        '',
        undefined,
        first.headers.etag,
      ]);
      const anything = await gateway.request(path, { headers: { 'If-None-Match': '*' } });
      expect(anything.status).toBe(304);
    }
  });

  it('is not served for POST, invalid queries or preflights', async () => {
    const gateway = await runCached();
    await gateway.request(SERIES);
    expect((await gateway.request(SERIES, { method: 'POST' })).status).toBe(405);
    expect((await gateway.request(`${SERIES}?days=0`)).status).toBe(400);
    expect((await gateway.request(`${SERIES}/`, { method: 'OPTIONS' })).status).toBe(204);
  });

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('is served as %s too, with an ETag of its own', async (encoding, unpack) => {
    const gateway = await runCached();
    gateway.network.online = Array.from({ length: 100 }, (_, index) => ({
      recorded_at: `2027-01-15 08:00:${String(index % 60).padStart(2, '0')}`,
      online_count: index,
    }));
    const plain = await gateway.request(SERIES);
    for (let i = 0; i < 2; i += 1) {
      const { bytes, headers } = await fetchEncoded(gateway.url + SERIES, encoding);
      expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding', 'cache-status': HIT });
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(unpack(bytes).toString()).toBe(plain.text);
      expect(headers.etag).not.toBe(plain.headers.etag);
      const again = await gateway.request(SERIES, {
        headers: { 'Accept-Encoding': encoding, 'If-None-Match': String(headers.etag) },
      });
      expect(again.status).toBe(304);
    }
    expect(requestCount(gateway.series, SERIES)).toBe(1);
  });

  it('is never an error response', async () => {
    const gateway = await runCached();
    for (let i = 0; i < 2; i += 1) {
      const { status, headers } = await gateway.request(`${GAME.slice(0, -1)}5`);
      expect([status, headers['cache-control'], headers['cache-status']]).toEqual([404, 'no-store', undefined]);
    }
    expect(requestCount(gateway.catalog, `${GAME.slice(0, -1)}5`)).toBe(2);
  });

  it('is not stored for free-form queries', async () => {
    const gateway = await runCached();
    const path = `${operations.listGames.path}?q=har`;
    for (let i = 0; i < 2; i += 1) expect(await cacheStatus(gateway, path)).toBe('lobbystats; fwd=uri-miss');
    expect(requestCount(gateway.catalog, operations.listGames.path)).toBe(2);
  });

  it('is not used for requests with a session key', async () => {
    const gateway = await runCached();
    const headers = { 'X-Session-Key': SESSION.key };
    await gateway.request(REPUTATION);
    const response = await gateway.request(REPUTATION, { headers });
    expect(response.body).toMatchObject({ viewer: { comment: SESSION.username } });
    expect(response.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'cache-status': 'lobbystats; fwd=bypass',
    });
    expect((await gateway.request(REPUTATION)).body).toMatchObject({ viewer: null });
  });

  it('is not stored when CACHE_BYTES is 0', async () => {
    const gateway = await runCached({ env: { CACHE_BYTES: '0' } });
    for (let i = 0; i < 2; i += 1) expect(await cacheStatus(gateway, GAME)).toBe('lobbystats; fwd=bypass');
    expect(requestCount(gateway.catalog, GAME)).toBe(2);
  });
});

function fetchEncoded(url: string, encoding: string): Promise<{ bytes: Buffer; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Accept-Encoding': `${encoding}, identity;q=0.1` };
    request(url, { headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve({ bytes: Buffer.concat(chunks), headers: res.headers }));
    })
      .on('error', reject)
      .end();
  });
}

import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { context, createHttpClient } from '@lobbystats/service-kit';
import { slowResponse, truncatedResponse, serveRaw } from '@lobbystats/test-kit';
import { nock } from '@lobbystats/test-kit/nock';
import { startExample, total } from './example-service.ts';

const client = createHttpClient({ timeoutMs: 30_000, maxBytes: 10_000 });
const reader = createHttpClient({ timeoutMs: 30_000, maxBytes: 10_000, mayRepeat: true });
const impatient = createHttpClient({ timeoutMs: 500, maxBytes: 10_000 });

describe('createHttpClient', () => {
  it('does not follow redirects or reject because of a status', async () => {
    nock('http://other.example').get('/').reply(302, '', { Location: 'http://127.0.0.1:1/' });
    expect((await client.get('http://other.example/')).status).toBe(302);
  });

  it.each<[string, RequestListener]>([
    ['breaks off', truncatedResponse('{')],
    ['never answers', () => undefined],
    ['sends too much', (_req, res) => res.end(`"${'x'.repeat(20_000)}"`)],
    [
      'sends what unpacks to too much',
      (_req, res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(`"${'x'.repeat(1_000_000)}"`)),
    ],
    ['drips', slowResponse],
  ])('rejects when the server %s', async (_label, listener) => {
    const url = await serveRaw(listener);
    await expect(impatient.get(url)).rejects.toThrow();
  });

  it('reads a body of chunks by its type', async () => {
    const url = await serveRaw((_req, res) => {
      for (const chunk of ['\uFEFF{"total"', ':', '7}']) res.write(chunk);
      res.end();
    });
    expect((await client.get(url)).data).toEqual({ total: 7 });
    expect((await client.get(url, { responseType: 'json' })).data).toEqual({ total: 7 });
    const { data } = await client.get<Buffer>(url, { responseType: 'arraybuffer' });
    expect(data.toString()).toBe('\uFEFF{"total":7}');
  });

  describe('on a connection that the server closes after its first response', () => {
    const used = new WeakSet<Socket>();
    const closeWhenReused: RequestListener = ({ socket }, res) => {
      if (used.has(socket)) socket.destroy();
      else res.end('{"total":7}');
      used.add(socket);
    };

    it.each([
      ['GET', 'json'],
      ['POST', 'json'],
      ['POST', 'stream'],
    ] as const)('sends a %s that reads a %s again', async (method, responseType) => {
      const url = await serveRaw(closeWhenReused);
      const data = method === 'POST' ? { key: 'a' } : undefined;
      for (let request = 0; request < 3; request += 1) {
        const response = await reader.request<Readable>({ url, method, data, responseType });
        expect(response.status).toBe(200);
        expect(responseType === 'stream' ? await json(response.data) : response.data).toEqual({ total: 7 });
      }
    });

    it.each(['GET', 'POST'])(
      'does not send a %s again that may change something, or has a rate to keep',
      async (method) => {
        const url = await serveRaw(closeWhenReused);
        await client.request({ url, method });
        await expect(client.request({ url, method })).rejects.toMatchObject({ code: 'ECONNRESET' });
      },
    );
  });

  it('does not send a request again that a new connection loses', async () => {
    let requests = 0;
    const url = await serveRaw(({ socket }) => {
      requests += 1;
      socket.destroy();
    });
    await expect(reader.get(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(requests).toBe(1);
  });

  it('sends the trace and request id of the running work', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const seen: unknown[] = [];
    const inner = await startExample({
      routes: [
        total(async () => seen.push(context.getStore()?.requestId, context.getStore()?.traceparent.slice(3, 35))),
      ],
    });
    const outer = await startExample({
      routes: [total(async () => (await client.get<{ total: number }>(`${inner.url}/total`)).data.total)],
    });
    await fetch(`${outer.url}/total`, { headers: { traceparent, 'X-Request-Id': 'mine', connection: 'close' } });
    expect(seen).toEqual(['mine', '0af7651916cd43dd8448eb211c80319c']);
  });

  it('sends its user agent', async () => {
    const userAgent = 'Lobbystats/1 (ops@example.org)';
    nock('http://other.example').get('/').matchHeader('user-agent', userAgent).reply(204);
    const named = createHttpClient({ timeoutMs: 30_000, maxBytes: 100, userAgent });
    expect(await named.get('http://other.example/')).toMatchObject({ status: 204 });
  });
});

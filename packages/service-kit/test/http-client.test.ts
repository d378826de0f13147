import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { callOperation, context, createHttpClient } from '@lobbystats/service-kit';
import { cleanUp } from '@lobbystats/test-kit';
import { getScores, getTotal, startExample, total, unknownTitle } from './example-service.ts';

const client = createHttpClient({ timeoutMs: 500, maxBytes: 10_000 });

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  cleanUp(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a call from service to service', () => {
  it('fills path and query in, and gives the answer', async () => {
    const { url } = await startExample();
    const query = { q: 'Café & Bar', days: 7 };
    await expect(
      callOperation(client, `${url}/`, getScores, { params: { titleId: '4d530064' }, query }),
    ).resolves.toEqual({
      titleId: '4d530064',
      days: 7,
      q: 'Café & Bar',
      period: 'today',
      offset: 0,
    });
  });

  it('keeps a parameter from leaving its place in the path', async () => {
    const paths: (string | undefined)[] = [];
    const url = await serve((req, res) => {
      paths.push(req.url);
      res.end('{}');
    });
    await callOperation(client, url, getScores, { params: { titleId: '../x?y#z' }, query: {} });
    expect(paths).toEqual(['/titles/..%2Fx%3Fy%23z/scores']);
  });

  it('passes on what the other says of a bad or unknown thing', async () => {
    const { url } = await startExample();
    const call = (titleId: string, days: number) =>
      callOperation(client, url, getScores, { params: { titleId }, query: { days } });
    await expect(call(unknownTitle, 1)).rejects.toMatchObject({ code: 'not-found', message: 'Unknown title' });
    await expect(call('4d530064', 0)).rejects.toMatchObject({
      code: 'invalid',
      message: 'days must be an integer from 1 to 365',
    });
  });

  it.each<[string, RequestListener]>([
    ['fails', (_req, res) => res.writeHead(500).end('{"error":"db-7 is down"}')],
    ['sends something else', (_req, res) => res.end('<html>')],
    ['redirects', (_req, res) => res.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()],
    ['breaks off', (_req, res) => void res.writeHead(200, { 'Content-Length': 9 }).write('{', () => res.destroy())],
    ['never answers', () => undefined],
    ['sends too much', (_req, res) => res.end(`"${'x'.repeat(20_000)}"`)],
    [
      'sends what unpacks to too much',
      (_req, res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(`"${'x'.repeat(1_000_000)}"`)),
    ],
    [
      'drips',
      (_req, res) => {
        const timer = setInterval(() => res.write(' '), 50);
        res.once('close', () => clearInterval(timer));
      },
    ],
  ])('is unavailable in time when the other %s', async (_label, listener) => {
    const url = await serve(listener);
    const began = performance.now();
    await expect(callOperation(client, url, getTotal, { params: {}, query: {} })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'A service behind this one is unavailable',
    });
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it('is unavailable when nobody is there', async () => {
    const call = callOperation(client, 'http://127.0.0.1:1', getTotal, { params: {}, query: {} });
    await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('bears the trace and the id of the request that it is made for', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const seen: unknown[] = [];
    const inner = await startExample({
      routes: [total(async () => seen.push(context.current()?.requestId, context.current()?.traceparent.slice(3, 35)))],
    });
    const outer = await startExample({
      routes: [total(async () => (await callOperation(client, inner.url, getTotal, { params: {}, query: {} })).total)],
    });
    await fetch(`${outer.url}/total`, { headers: { traceparent, 'X-Request-Id': 'mine', connection: 'close' } });
    expect(seen).toEqual(['mine', '0af7651916cd43dd8448eb211c80319c']);
  });

  it('says who it is', async () => {
    const agents: (string | undefined)[] = [];
    const url = await serve((req, res) => {
      agents.push(req.headers['user-agent']);
      res.end('{}');
    });
    await createHttpClient({ timeoutMs: 500, maxBytes: 100, userAgent: 'Lobbystats/1 (ops@example.org)' }).get(url);
    expect(agents).toEqual(['Lobbystats/1 (ops@example.org)']);
  });
});

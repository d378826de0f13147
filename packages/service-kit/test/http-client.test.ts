import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { context, createHttpClient } from '@lobbystats/service-kit';
import { cleanUp } from '@lobbystats/test-kit';
import { startExample, total } from './example-service.ts';

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

describe('an HTTP client', () => {
  it('goes nowhere that it is sent to, and leaves every status to its caller', async () => {
    const url = await serve((_req, res) => res.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end());
    expect((await client.get(url)).status).toBe(302);
  });

  it.each<[string, RequestListener]>([
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
  ])('gives up in time when the other %s', async (_label, listener) => {
    const url = await serve(listener);
    const began = performance.now();
    await expect(client.get(url)).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it('bears the trace and the id of the request that it is made for', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const seen: unknown[] = [];
    const inner = await startExample({
      routes: [total(async () => seen.push(context.current()?.requestId, context.current()?.traceparent.slice(3, 35)))],
    });
    const outer = await startExample({
      routes: [total(async () => (await client.get<{ total: number }>(`${inner.url}/total`)).data.total)],
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

import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createMetrics, mountPath, sendJson } from '@lobbystats/service-kit';
import { cleanUp, eventually, getJson } from '@lobbystats/test-kit';
import { limitConnections, type ConnectionLimits } from '../src/http/create-server.ts';
import { startExample, total } from './example-service.ts';
import { exchange } from './raw-exchange.ts';

const GET = 'GET /total HTTP/1.1\r\nHost: example\r\n\r\n';
const LAST_GET = 'GET /total HTTP/1.1\r\nHost: example\r\nConnection: close\r\n\r\n';

/** Starts a server with its own limits. */
async function startLimited(limits: ConnectionLimits, listener: RequestListener) {
  const server = createServer(listener);
  const metrics = createMetrics('limited');
  limitConnections(server, [server], metrics, limits);
  cleanUp(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { port: (server.address() as AddressInfo).port, samples: () => metrics.registry.metrics() };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  cleanUp(() => socket.destroy());
  socket.on('error', () => undefined);
  await new Promise((resolve) => {
    socket.once('connect', resolve);
  });
  return socket;
}

const closed = (socket: Socket) =>
  new Promise((resolve) => {
    socket.once('close', resolve);
  });

describe('connection limits', () => {
  it('connections above the limit are closed and counted until another one closes', async () => {
    const { port, samples } = await startLimited({ connectionsMax: 2, stalledMs: 60_000 }, (_req, res) =>
      res.end('{}'),
    );
    const [first] = [await open(port), await open(port)];
    await closed((await open(port)).resume());
    expect(await samples()).toMatch(/lobbystats_http_connections_rejected_total\{service="limited"\} 1/);
    first.destroy();
    await eventually(async () => expect((await getJson(`http://127.0.0.1:${port}/`)).status).toBe(200));
  });

  it('a connection is closed if its client stops reading, and stays open while it reads', async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    const closedUrls: string[] = [];
    const { port } = await startLimited({ connectionsMax: 10, stalledMs: 2000 }, (req, res) => {
      res.once('close', () => closedUrls.push(req.url ?? ''));
      const fill = () => {
        while (!res.destroyed && res.write(chunk));
        res.once('drain', fill);
      };
      fill();
    });
    const [stuck, slow] = [await open(port), await open(port)];
    stuck.pause().write(GET.replace('/total', '/stuck'));
    slow.pause().write(GET.replace('/total', '/slow'));
    await eventually(
      () => {
        slow.read();
        expect(closedUrls).not.toEqual([]);
      },
      { everyMs: 1 },
    );
    expect(closedUrls).toEqual(['/stuck']);
  });

  it('a connection has at most 32 pipelined requests in flight', async () => {
    let asked = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<number>();
    const { port } = await startExample({
      routes: [
        total(() => {
          asked += 1;
          return released;
        }),
      ],
    });
    const answers = exchange(port, GET.repeat(100));
    await eventually(() => expect(asked).toBe(32));
    release(7);
    const { body } = await answers;
    const whole = `HTTP/1.1 200 OK\r\n\r\n${body}`;
    expect(asked).toBe(32);
    expect(whole).toMatch(/\{"total":7\}/);
  });

  it('a connection may send any number of requests in sequence', async () => {
    const { port } = await startExample({ routes: [total(async () => 7)] });
    const socket = await open(port);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    for (let i = 1; i <= 100; i += 1) {
      socket.write(i === 100 ? LAST_GET : GET);
      await eventually(() => expect(received.split('HTTP/1.1 200 OK')).toHaveLength(i + 1), { everyMs: 1 });
    }
  });
});

describe('headers', () => {
  it('all headers within 16 KiB are read', async () => {
    const { port } = await startExample();
    const many = 'a:\r\n'.repeat(3000);
    const { statusLine, headers } = await exchange(
      port,
      `GET /healthz HTTP/1.1\r\nHost: example\r\n${many}X-Request-Id: last\r\nConnection: close\r\n\r\n`,
    );
    expect([statusLine, headers.get('x-request-id')]).toEqual(['HTTP/1.1 200 OK', 'last']);
  });

  it('every response has the security headers', async () => {
    const { url, port } = await startExample({
      defaultHeaders: { 'Referrer-Policy': 'same-origin' },
      configure: (app) =>
        mountPath(app, '/page', 'page', (_req, res) =>
          sendJson(res, 200, 'page', { 'Content-Security-Policy': "script-src 'self'" }),
        ),
    });
    const expected = (headers: Headers) => ({
      sniff: headers.get('x-content-type-options'),
      policy: headers.get('content-security-policy'),
      referrer: headers.get('referrer-policy'),
    });
    const nothing = { sniff: 'nosniff', policy: "default-src 'none'; frame-ancestors 'none'", referrer: 'same-origin' };
    const paths = ['/healthz', '/nowhere', '/%', '/titles/4d530064/scores', '/titles/4d530064/scores?days=0'];
    for (const path of paths) expect(expected((await getJson(url + path)).headers)).toEqual(nothing);
    expect(expected((await exchange(port, 'nonsense\r\n\r\n')).headers)).toEqual(nothing);
    expect(expected((await getJson(`${url}/page`)).headers)).toMatchObject({ policy: "script-src 'self'" });
  });
});

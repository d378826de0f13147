import { connect, type Socket } from 'node:net';
import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { HARBOR } from './network.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';

const GAME = operations.getGame.path.replace(':titleId', HARBOR.titleId);

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file' });
});

async function openConnection(): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  cleanUp(() => socket.destroy());
  socket.on('error', () => undefined);
  await new Promise((resolve) => {
    socket.once('connect', resolve);
  });
  return socket;
}

/** The median latency of sequential requests, in milliseconds. */
async function medianLatencyMs(count: number): Promise<number> {
  const measured: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const began = performance.now();
    expect((await gateway.request(GAME)).status).toBe(200);
    measured.push(performance.now() - began);
  }
  return measured.toSorted((one, other) => one - other)[Math.floor(count / 2)] ?? 0;
}

describe('1,000 slow clients', () => {
  it('are disconnected within 6 s and do not delay other requests', async () => {
    await medianLatencyMs(50);
    const before = await medianLatencyMs(30);
    const sockets = await Promise.all(Array.from({ length: 1000 }, openConnection));
    let closedCount = 0;
    const began = performance.now();
    for (const [index, socket] of sockets.entries()) {
      socket.once('close', () => {
        closedCount += 1;
      });
      socket.resume();
      socket.write(BEGINNINGS[index % BEGINNINGS.length]!);
    }
    const dripping = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('a');
    }, 500);
    cleanUp(() => clearInterval(dripping));
    const during = await medianLatencyMs(30);
    await eventually(() => expect(closedCount).toBe(1000), { timeoutMs: 10_000, everyMs: 50 });
    // 6 s plus a margin for a busy machine.
    expect(performance.now() - began).toBeLessThan(9000);
    expect(during).toBeLessThan(2 * before + 25);
  }, 30_000);

  const BEGINNINGS = [
    'G',
    `GET ${GAME} HTTP/1.1\r\nHost: x\r\nX-Slow: `,
    `GET ${GAME} HTTP/1.1\r\n`,
    `POST ${operations.searchByRanks.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`,
  ];
});

describe('pipelining connection', () => {
  it('has at most 32 requests in flight at upstreams', async () => {
    const socket = await openConnection();
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      received += text;
    });
    const closed = new Promise((resolve) => {
      socket.once('close', resolve);
    });
    gateway.catalog.requests.length = 0;
    const path = operations.searchOnePlayer.path.replace(':player', 'Ember%20Fox');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(200));
    await closed;
    expect(received.match(/HTTP\/1\.1 \d+/g)?.length).toBeLessThanOrEqual(33);
    expect(gateway.catalog.requests.length).toBeLessThanOrEqual(32);
    expect(received).toMatch(/HTTP\/1\.1 503 [^]*"Too many requests at once on this connection"\}$/);
  });
});

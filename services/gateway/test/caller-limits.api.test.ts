import { connect, type Socket } from 'node:net';
import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { HARBOR } from './network.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';

const GAME = operations.getGame.path.replace(':titleId', HARBOR.titleId);

async function openConnection({ url }: RunningGateway): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  cleanUp(() => socket.destroy());
  socket.on('error', () => undefined);
  await new Promise((resolve) => {
    socket.once('connect', resolve);
  });
  return socket;
}

describe('slow clients', () => {
  // At most 64 requests in flight are accepted whatever the load.
  it('are disconnected, and other requests are answered meanwhile', async () => {
    const gateway = await runGateway();
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openConnection(gateway)));
    let closedCount = 0;
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
    for (let i = 0; i < 30; i += 1) expect((await gateway.request(GAME)).status).toBe(200);
    await eventually(() => expect(closedCount).toBe(200), { everyMs: 50 });
  });

  const BEGINNINGS = [
    'G',
    `GET ${GAME} HTTP/1.1\r\nHost: x\r\nX-Slow: `,
    `GET ${GAME} HTTP/1.1\r\n`,
    `POST ${operations.searchByRanks.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`,
  ];
});

describe('pipelining connection', () => {
  it('has at most 32 requests in flight at upstreams', async () => {
    const gateway = await runGateway();
    const socket = await openConnection(gateway);
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

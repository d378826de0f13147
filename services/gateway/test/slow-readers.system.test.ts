import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { network } from './network.ts';
import { runGateway, startRawUpstream } from './running-gateway.ts';

/** Larger than the kernel buffers between an upstream and a reader. */
const BODY = Buffer.alloc(32 * 1024 * 1024, ' ');
BODY.write('{}', BODY.length - 2);
const READERS = 20;
const PATH = operations.getLeaderboard.path.replace(/:\w+/, '4e420001').replace(/:\w+/, '17');

const requestFor = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** Opens a connection that sends requests and never reads the responses. */
async function openUnreadConnection(url: string, asked: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  cleanUp(() => socket.destroy());
  socket.on('error', () => undefined).pause();
  await once(socket, 'connect');
  socket.write(asked);
  return socket;
}

it('a large response is delivered while stalled readers of one address hold all streaming permits', async () => {
  let asked = 0;
  const catalog = await startRawUpstream((req, res) => {
    const { titles, revision } = network();
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (req.url === operations.listTitles.path) {
      res.end(JSON.stringify({ revision, titles }));
      return;
    }
    asked += 1;
    res.setHeader('Content-Length', BODY.length);
    res.end(BODY);
  });
  const { url } = await runGateway({ env: { CATALOG_API_URL: catalog } });
  await Promise.all(Array.from({ length: READERS }, () => openUnreadConnection(url, requestFor(PATH))));
  await eventually(() => expect(asked).toBeGreaterThanOrEqual(16));
  const sizes: number[] = [];
  while (sizes.length < 3) {
    const body = await eventually(async () => {
      const answer = await fetch(url + PATH);
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
      return answer.arrayBuffer();
    });
    sizes.push(body.byteLength);
  }
  expect(sizes).toEqual([BODY.length, BODY.length, BODY.length]);
});

it.each([
  ['while it reads', true],
  ['before the answer begins', false],
])('a reader that disconnects %s cancels the upstream request for its large response', async (_when, isBegun) => {
  const outcome = Promise.withResolvers<'finished' | 'cut off'>();
  const asked = Promise.withResolvers<undefined>();
  const clientClosed = Promise.withResolvers<undefined>();
  const catalog = await startRawUpstream((req, res) => {
    const { titles, revision } = network();
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (req.url === operations.listTitles.path) {
      res.end(JSON.stringify({ revision, titles }));
      return;
    }
    asked.resolve(undefined);
    res.setHeader('Content-Length', BODY.length);
    res.on('close', () => outcome.resolve(res.writableFinished ? 'finished' : 'cut off'));
    void clientClosed.promise.then(() => res.end(BODY));
  });
  const { url } = await runGateway({ env: { CATALOG_API_URL: catalog } });
  const socket = await openUnreadConnection(url, requestFor(PATH));
  await asked.promise;
  if (isBegun) {
    clientClosed.resolve(undefined);
    await once(socket, 'readable');
  }
  socket.destroy();
  await once(socket, 'close');
  clientClosed.resolve(undefined);
  expect(await outcome.promise).toBe('cut off');
});

it('requests are accepted while more cached responses are unread than may be in flight', async () => {
  const gateway = await runGateway();
  // The maximum in flight per connection: far more than its kernel buffers.
  const asked = requestFor('/docs/swagger-ui-bundle.js').repeat(32);
  const sockets = await Promise.all(Array.from({ length: 40 }, () => openUnreadConnection(gateway.url, asked)));
  await Promise.all(sockets.map((socket) => once(socket, 'readable')));
  expect((await gateway.request(operations.listGames.path)).status).toBe(200);
});

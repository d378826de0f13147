import { createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { Pool } from 'undici';
import { fetchResponse, type FetchLimits } from '../src/upstreams/fetch-response.http.ts';

const LIMITS: FetchLimits = { timeoutMs: 3000, maxBytes: 1000, streamMs: 3000 };
const REQUEST = { method: 'GET', path: '/x?y=1', headers: { 'x-request-id': 'mine' } } as const;

/** A pool to a raw TCP server that calls `hear` for each request. */
async function openPool(hear: (socket: Socket) => void, connections = 4) {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => hear(socket));
  });
  cleanUp(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const pool = new Pool(`http://127.0.0.1:${address.port}`, { connections });
  cleanUp(() => pool.destroy());
  const ask = (limits: Partial<FetchLimits> = {}) => fetchResponse(pool, REQUEST, { ...LIMITS, ...limits });
  return { ask, sockets };
}

const responseText = (body: string, fields = '') =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${fields}\r\n${body}`;

describe('upstream response over a connection pool', () => {
  it('is the same for every split into TCP segments', async () => {
    const next = { pieces: [''] };
    const { ask } = await openPool((socket) => {
      const [first = '', ...others] = next.pieces;
      socket.write(first, 'latin1');
      const say = () => {
        const piece = others.shift();
        if (piece !== undefined) socket.write(piece, 'latin1', () => setImmediate(say));
      };
      setImmediate(say);
    }, 1);
    const text = responseText('0123456789'.repeat(3));
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const boundaries = [0, ...at.toSorted((a, b) => a - b), text.length];
        next.pieces = boundaries.slice(1).map((end, index) => text.slice(boundaries[index], end));
        await expect(ask()).resolves.toMatchObject({ status: 200, body: Buffer.from('0123456789'.repeat(3)) });
      }),
      { numRuns: 50 },
    );
  });

  it('is decoded from chunked transfer encoding', async () => {
    const { ask } = await openPool((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n'),
    );
    await expect(ask()).resolves.toMatchObject({ status: 200, body: Buffer.from('x') });
  });

  it.each([
    ['both kinds of length', responseText('x', 'Transfer-Encoding: chunked\r\n')],
    ['two lengths', responseText('x', 'Content-Length: 2\r\n')],
    ['a strange length', 'HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx'],
    ['a folded header', responseText('x', ' folded\r\n')],
    ['a space before the colon', responseText('x', 'X-A : b\r\n')],
    ['a NUL', responseText('x', 'X-A: \0\r\n')],
    ['a bare line feed', responseText('x', 'X-A: b\nX-B: c\r\n')],
    ['what is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['a head without end', 'HTTP/1.1 200 OK\r\n'.padEnd(40_000, 'X-A: b\r\n')],
    ['half a head', 'HTTP/1.1 200'],
    ['half a body', responseText('xxxx').slice(0, -1)],
  ])('with %s is rejected as malformed', async (_what, text) => {
    const { ask } = await openPool((socket) => socket.end(text, 'latin1'));
    await expect(ask()).rejects.toMatchObject({ name: 'NoResponseError' });
  });

  it('is never read from bytes that follow another response', async () => {
    const { ask, sockets } = await openPool((socket) => socket.write(responseText('[1]') + responseText('[2]')), 1);
    const answers = await Promise.allSettled([ask(), ask(), ask()]);
    expect(JSON.stringify(answers.map((one) => (one.status === 'fulfilled' ? one.value : undefined)))).not.toContain(
      JSON.stringify(Buffer.from('[2]')),
    );
    expect(sockets.size).toBeGreaterThan(1);
  });

  it.each([
    ['broken', ''],
    ['broken', 'HTTP/1.1 200'],
    ['unusable', responseText('xxxx').slice(0, -1)],
  ])('fails as %s when the connection breaks after %j', async (reason, text) => {
    const { ask } = await openPool((socket) => socket.end(text));
    await expect(ask()).rejects.toMatchObject({ reason });
  });

  it('tells timeouts before the request was sent from timeouts after it', async () => {
    const sent = Promise.withResolvers<undefined>();
    const { ask } = await openPool(() => sent.resolve(undefined), 1);
    const first = ask({ timeoutMs: 2000 });
    await Promise.race([sent.promise, first]);
    await expect(ask({ timeoutMs: 1 })).rejects.toMatchObject({ reason: 'no-time' });
    await expect(first).rejects.toMatchObject({ reason: 'late' });
  });

  it('is not requested once the caller has cancelled, and the connection stays open', async () => {
    const waiting: Socket[] = [];
    const { ask, sockets } = await openPool((socket) => waiting.push(socket), 1);
    const first = ask();
    const unwanted = ask({ isAdmitted: () => false });
    const third = ask();
    const answer = setInterval(() => waiting.shift()?.write(responseText('[]')), 5);
    cleanUp(() => clearInterval(answer));
    await expect(unwanted).rejects.toMatchObject({ reason: 'unwanted' });
    await expect(Promise.all([first, third])).resolves.toHaveLength(2);
    expect(sockets.size).toBe(1);
  });

  it('is rejected above its size limit, and streamed when streaming is allowed', async () => {
    const large = 'x'.repeat(300_000);
    const { ask } = await openPool((socket) => socket.write(responseText(large)));
    await expect(ask()).rejects.toMatchObject({ reason: 'too-large' });
    for (let i = 0; i < 3; i += 1) {
      const answer = await ask({ streamedFrom: 1000 });
      if (Buffer.isBuffer(answer.body)) throw new Error('it is whole');
      expect((await buffer(answer.body)).toString()).toBe(large);
    }
  });

  it.each([
    ['late', 'late', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[1'],
    ['too large', 'too-large', `HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(300_000)}`],
  ])('that is %s closes its connection, and the next request opens a new one', async (_what, reason, text) => {
    const { ask, sockets } = await openPool(
      (socket) => socket.write(sockets.size === 1 ? text : responseText('[]')),
      1,
    );
    await expect(ask({ timeoutMs: 300 })).rejects.toMatchObject({ reason });
    await eventually(() => expect([...sockets].map(({ destroyed }) => destroyed)).toEqual([true]));
    await expect(ask()).resolves.toMatchObject({ body: Buffer.from('[]') });
  });

  it('with an error status is read to its end, and its connection is reused', async () => {
    const { ask, sockets } = await openPool(
      (socket) => socket.write(`HTTP/1.1 404 Not Found\r\nContent-Length: 900\r\n\r\n${'x'.repeat(900)}`),
      1,
    );
    for (let i = 0; i < 3; i += 1) await expect(ask({ streamedFrom: 100 })).resolves.toMatchObject({ status: 404 });
    expect(sockets.size).toBe(1);
  });

  it('is not requested when it timed out before a connection was free', async () => {
    let heard = 0;
    const { ask, sockets } = await openPool((socket) => {
      heard += 1;
      if (heard > 1) socket.write(responseText('[]'));
    }, 1);
    const first = ask();
    await eventually(() => expect(heard).toBe(1));
    await expect(ask({ timeoutMs: 50 })).rejects.toMatchObject({ reason: 'no-time' });
    for (const socket of sockets) socket.write(responseText('[]'));
    await first;
    await ask();
    expect(heard).toBe(2);
  });
});

import { lookup } from 'node:dns';
import { createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import fc from 'fast-check';
import type { FetchLimits } from '../src/adapters/http/fetch-answer.ts';
import { readPlainHead } from '../src/adapters/http/plain-head.ts';
import { PlainLine } from '../src/adapters/http/plain-line.ts';

const LIMITS: FetchLimits = { timeoutMs: 3000, maxBytes: 1000, streamMs: 3000 };
const REQUEST = { method: 'GET', path: '/x?y=1', headers: { 'x-request-id': 'mine' } };

/** A line to somebody who does so with each request. */
async function lineTo(hear: (socket: Socket, text: string) => void, connections = 4, lifetimeMs = 60_000) {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (text) => hear(socket, text.toString('latin1')));
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
  const origin = `http://127.0.0.1:${address.port}`;
  const line = new PlainLine({ origin, connections, connectTimeoutMs: 1000, lifetimeMs, lookup });
  cleanUp(() => line.close());
  const ask = (limits: Partial<FetchLimits> = {}) => line.fetch(REQUEST, { ...LIMITS, ...limits });
  return { line, ask, sockets, host: `127.0.0.1:${address.port}`, stopListening: () => server.close() };
}

const answerOf = (body: string, fields = '') =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nX-Of: owner\r\n${fields}\r\n${body}`;

describe('a plain line', () => {
  it('says what is asked, and hears what is answered', async () => {
    const heard: string[] = [];
    const { ask, host } = await lineTo((socket, text) => {
      heard.push(text);
      socket.write(answerOf('[1]'));
    });
    await expect(ask()).resolves.toEqual({
      status: 200,
      headers: { 'content-length': '3' },
      body: Buffer.from('[1]'),
    });
    expect(heard).toEqual([`GET /x?y=1 HTTP/1.1\r\nhost: ${host}\r\nx-request-id: mine\r\n\r\n`]);
  });

  it('hears the same however an answer is cut into pieces', async () => {
    const next = { pieces: [''] };
    const { ask } = await lineTo((socket) => {
      const [first = '', ...others] = next.pieces;
      socket.write(first, 'latin1');
      const say = () => {
        const piece = others.shift();
        if (piece !== undefined) socket.write(piece, 'latin1', () => setImmediate(say));
      };
      setImmediate(say);
    }, 1);
    const text = answerOf('0123456789'.repeat(3));
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const places = [0, ...at.toSorted((a, b) => a - b), text.length];
        next.pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
        await expect(ask()).resolves.toMatchObject({ status: 200, body: Buffer.from('0123456789'.repeat(3)) });
      }),
      { numRuns: 50 },
    );
  });

  it('keeps connections, opens no more than it may, and serves in the order of asking', async () => {
    const waiting: (() => void)[] = [];
    const { ask, sockets } = await lineTo((socket) => waiting.push(() => socket.write(answerOf('[]'))), 2);
    const done: number[] = [];
    const all = [1, 2, 3, 4].map(async (number) => {
      await ask();
      done.push(number);
    });
    for (let i = 0; i < 4; i += 1) {
      await eventually(() => expect(waiting.length).toBeGreaterThan(0));
      waiting.shift()?.();
      await eventually(() => expect(done).toHaveLength(i + 1));
    }
    await Promise.all(all);
    expect([sockets.size, new Set(done.slice(2))]).toEqual([2, new Set([3, 4])]);
  });

  it('replaces a connection that it has used long enough, and has never more than one too many', async () => {
    const { ask, sockets } = await lineTo((socket) => socket.write(answerOf('[1]')), 1, 0);
    const open = () => [...sockets].filter(({ readableEnded }) => !readableEnded);
    await eventually(async () => {
      await expect(Promise.all([ask(), ask()])).resolves.toHaveLength(2);
      expect(open().length).toBeLessThanOrEqual(2);
      expect(sockets.size).toBeGreaterThan(3);
    });
    await eventually(() => expect(open()).toHaveLength(1));
  });

  it('goes on with a connection that it has used long enough while it gets no other', async () => {
    const { ask, stopListening } = await lineTo((socket) => socket.write(answerOf('[1]')), 1, 20);
    await ask();
    stopListening();
    const began = performance.now();
    while (performance.now() - began < 60) await expect(ask()).resolves.toMatchObject({ status: 200 });
  });

  it.each([
    ['an encoding', answerOf('x', 'Content-Encoding: gzip\r\n')],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n'],
    ['both kinds of length', answerOf('x', 'Transfer-Encoding: chunked\r\n')],
    ['two lengths', answerOf('x', 'Content-Length: 2\r\n')],
    ['no length', 'HTTP/1.1 200 OK\r\n\r\nx'],
    ['a strange length', 'HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx'],
    ['a line that goes on', answerOf('x', 'X-A: b\r\n c\r\n')],
    ['a space before the colon', answerOf('x', 'X-A : b\r\n')],
    ['a NUL', answerOf('x', 'X-A: \0\r\n')],
    ['a lone line feed', answerOf('x', 'X-A: b\nX-B: c\r\n')],
    ['an older version', answerOf('x').replace('1.1', '1.0')],
    ['a word to go on first', `HTTP/1.1 100 Continue\r\n\r\n${answerOf('x')}`],
    ['no body by definition', 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n'],
    ['what is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['a head without end', 'HTTP/1.1 200 OK\r\n'.padEnd(20_000, 'X-A: b\r\n')],
  ])('leaves an answer with %s to others, and hangs up', async (_what, text) => {
    const { ask, sockets } = await lineTo((socket) => socket.write(text, 'latin1'));
    await expect(ask()).rejects.toMatchObject({ reason: 'intricate' });
    await eventually(() =>
      expect([...sockets].every(({ readableEnded, destroyed }) => readableEnded || destroyed)).toBe(true),
    );
  });

  it.each([
    ['nothing', '', 'broken'],
    ['half a head', 'HTTP/1.1 200', 'unusable'],
    ['half a body', answerOf('xxxx').slice(0, -1), 'unusable'],
  ])('says what it is when a connection breaks after %s', async (_what, text, reason) => {
    const { ask } = await lineTo((socket) => socket.end(text));
    await expect(ask()).rejects.toMatchObject({ reason });
  });

  it('never takes what comes behind an answer for another one', async () => {
    const { ask } = await lineTo((socket) => socket.write(answerOf('[1]') + answerOf('[2]')));
    await expect(ask()).rejects.toMatchObject({ reason: 'unusable' });
  });

  it('takes another connection after an answer that is the last of its own', async () => {
    const { ask, sockets } = await lineTo((socket) => socket.write(answerOf('[]', 'Connection: close\r\n')));
    for (let i = 0; i < 3; i += 1) await ask();
    expect(sockets.size).toBe(3);
  });

  it('says whether time ran out before it had asked, or after', async () => {
    const { ask } = await lineTo(() => undefined, 1);
    const [first, second] = [ask({ timeoutMs: 150 }), ask({ timeoutMs: 100 })];
    await expect(second).rejects.toMatchObject({ reason: 'unsent' });
    await expect(first).rejects.toMatchObject({ reason: 'late' });
    await expect(ask({ timeoutMs: 100 })).rejects.toMatchObject({ reason: 'late' });
  });

  it('takes no more than it may, and hands on what is large as it comes', async () => {
    const large = 'x'.repeat(300_000);
    const { ask } = await lineTo((socket) => socket.write(answerOf(large)));
    await expect(ask()).rejects.toMatchObject({ reason: 'unusable' });
    for (let i = 0; i < 3; i += 1) {
      const answer = await ask({ streamedFrom: 1000 });
      if (!('incoming' in answer)) throw new Error('it is whole');
      expect((await buffer(answer.incoming)).toString()).toBe(large);
    }
  });

  it('sends nothing that would be another request', async () => {
    const { line, sockets } = await lineTo(() => undefined);
    const fetch = (path: string, value = '') => line.fetch({ method: 'GET', path, headers: { a: value } }, LIMITS);
    for (const path of ['x', '/ ', '/\r\n', '/ä'])
      await expect(fetch(path)).rejects.toMatchObject({ reason: 'intricate' });
    for (const value of ['a\r\nb: c', 'ä', '\0']) {
      await expect(fetch('/', value)).rejects.toMatchObject({ reason: 'intricate' });
    }
    expect(sockets.size).toBe(0);
  });
});

describe('a plain head', () => {
  it('is read as it was written, whatever the values, and tells what matters', () => {
    const value = fc.stringMatching(/^[!-~]([ -~]{0,10}[!-~])?$/);
    const told = fc.dictionary(fc.constantFrom('content-type', 'etag', 'last-modified', 'link'), value);
    const others = fc.dictionary(fc.stringMatching(/^x[!#$%&'*+.^_`|~a-z0-9-]{0,10}$/), value);
    fc.assert(
      fc.property(told, others, fc.nat(), (given, more, length) => {
        const lines = Object.entries({ ...more, ...given }).map(([name, text]) => `${name.toUpperCase()}:\t ${text} `);
        const head = readPlainHead(['HTTP/1.1 404 ', ...lines, `content-length: ${length}`].join('\r\n'));
        expect(head).toEqual({
          status: 404,
          headers: { ...given, 'content-length': String(length) },
          length,
          isLast: false,
        });
      }),
    );
  });

  it('never throws, and sets no prototype', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        readPlainHead(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\n${text}`);
      }),
    );
    const head = readPlainHead('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n__proto__: x');
    expect(Object.getPrototypeOf(head?.headers)).toBe(Object.prototype);
  });
});

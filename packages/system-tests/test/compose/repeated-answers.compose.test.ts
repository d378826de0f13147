import { randomUUID } from 'node:crypto';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { compose, gatewayUrl } from './stack.ts';

/** Stays true until the next slot, and is large enough to be compressed. */
const LASTING = operations.getOnlineSeries.path;
/** May change at any time. */
const CHANGING = operations.listChanges.path;
const REQUESTS = 40;

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function ask(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET'): Promise<Answer> {
  const asked = request(gatewayUrl + path, { method, headers }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
}

/** Sends requests one after the other; resolves to the number that no gateway received. */
async function countRepeated(path: string, headers: OutgoingHttpHeaders = {}): Promise<number> {
  const ids = Array.from({ length: REQUESTS }, () => randomUUID());
  for (const id of ids) {
    const answer = await ask(path, { ...headers, 'X-Request-Id': id });
    expect([answer.status, answer.headers['x-request-id']]).toEqual([200, id]);
  }
  return eventually(async () => {
    const log = await compose('logs', '--no-log-prefix', '--no-color', '--since', '2m', 'nginx');
    const lines = log.split('\n').filter((line) => ids.some((id) => line.trimEnd().endsWith(id)));
    expect(lines).toHaveLength(REQUESTS);
    return lines.filter((line) => line.trimEnd().split(' ').at(-2) === '-').length;
  });
}

describe('nginx', () => {
  it('repeats an answer that stays true for a while, each time with the ID of its request', async () => {
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
      // Not while a backfill changes what it says.
      await eventually(async () => expect(await countRepeated(LASTING, headers)).toBeGreaterThan(0), {
        timeoutMs: 300_000,
      });
    }
  });

  it.each([
    ['an answer that may change at any time', CHANGING, {}],
    ['the home page', '/', {}],
    ['an answer to a request that wants the newest one', LASTING, { 'Cache-Control': 'no-cache' }],
    ['an answer to a request with a session', LASTING, { 'X-Session-Key': 'a-session' }],
    ['an answer to a request with a cookie', LASTING, { Cookie: 'a=b' }],
    ['an answer to a request with credentials', LASTING, { Authorization: 'Bearer a-token' }],
  ])('asks a gateway for %s', async (_what, path, headers) => {
    expect(await countRepeated(path, headers)).toBe(0);
  });

  it.each([
    ['that it repeats', LASTING],
    ['that it does not repeat', CHANGING],
  ])('returns 304 to the entity tag of an answer %s', async (_what, path) => {
    for (let index = 0; index < 10; index += 1) {
      const { headers } = await ask(path);
      const known = await ask(path, { 'If-None-Match': `"other", ${headers.etag}` });
      // A slot may come between them.
      if (known.headers.etag !== headers.etag) continue;
      expect([known.status, known.body.length]).toEqual([304, 0]);
      expect(known.headers['cache-control']).toBe(headers['cache-control']);
      expect(known.headers.vary).toBe(headers.vary);
    }
  });

  it('ignores If-Modified-Since and Range, as a gateway does', async () => {
    for (let index = 0; index < 5; index += 1) {
      const { headers, body } = await ask(LASTING);
      const modified = await ask(LASTING, { 'If-Modified-Since': headers['last-modified'] });
      const part = await ask(LASTING, { Range: 'bytes=0-9' });
      expect([modified.status, part.status]).toEqual([200, 200]);
      expect([modified.body.length > 0, part.body.length]).toEqual([true, body.length]);
    }
  });

  it('keeps encodings apart, and HEAD without a body', async () => {
    for (let index = 0; index < 5; index += 1) {
      const plain = await ask(LASTING);
      const zipped = await ask(LASTING, { 'Accept-Encoding': 'gzip' });
      const head = await ask(LASTING, {}, 'HEAD');
      expect([plain, zipped, head].map(({ headers }) => headers['content-encoding'])).toEqual([
        undefined,
        'gzip',
        undefined,
      ]);
      expect(zipped.headers.etag).not.toBe(plain.headers.etag);
      expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
        200,
        0,
        plain.headers['content-length'],
      ]);
    }
  });

  it('keeps queries apart', async () => {
    const bodies = await Promise.all(
      [1, 2, 3, 1, 2, 3, 1, 2, 3].map(async (days) =>
        String((await ask(`${operations.getDailyOnline.path}?days=${days}`)).body),
      ),
    );
    expect(bodies.map((body) => bodies.indexOf(body))).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });
});

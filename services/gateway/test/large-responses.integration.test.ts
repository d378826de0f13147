import type { RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import type { RequestOutcome } from '../src/upstreams/upstream-outcome.http.ts';
import { UndiciUpstreams, type UndiciUpstreamsOptions } from '../src/upstreams/upstreams.http.ts';
import type { BodyStream } from '../src/upstreams/upstreams.ts';
import { startRawUpstream } from './running-gateway.ts';

const LARGE_BYTES = 1000;
const STREAMS_MAX = 8;
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

async function createClient(listener: RequestListener, options: Partial<UndiciUpstreamsOptions> = {}) {
  const upstreams = new UndiciUpstreams({
    urls: { 'series-api': await startRawUpstream(listener) },
    timeoutMs: 5000,
    maxBytes: 2000,
    largeBytes: LARGE_BYTES,
    ...options,
  });
  cleanUp(() => upstreams.close());
  const open = () => upstreams.fetchOrStream(operations.getOnlineSeries, {}, {});
  return { owners: upstreams, open };
}

const jsonOfLength = (length: number) => Buffer.from(`[${'1'.repeat(length - 2)}]`);

const respondWith = (body: Buffer, headers = {}): RequestListener => {
  return (_req, res) => void res.writeHead(200, { ...JSON_TYPE, 'Content-Length': body.length, ...headers }).end(body);
};

async function openStreaming(open: () => ReturnType<UndiciUpstreams['fetchOrStream']>): Promise<BodyStream> {
  const { body } = await open();
  if (Buffer.isBuffer(body)) throw new Error('the answer is whole');
  return body;
}

describe('streamed upstream response', () => {
  it('is passed on as it arrives, with its ETag, Last-Modified and Link', async () => {
    const body = jsonOfLength(500_000);
    const responseHeaders = {
      ETag: '"tag"',
      'Last-Modified': 'Fri, 15 Jan 2027 08:00:00 GMT',
      Link: '<?offset=1>; rel="next"',
    };
    const { open } = await createClient(respondWith(body, responseHeaders));
    const { body: stream, ...head } = await open();
    expect(head).toEqual({
      etag: responseHeaders.ETag,
      lastModified: responseHeaders['Last-Modified'],
      link: responseHeaders.Link,
    });
    if (Buffer.isBuffer(stream)) throw new Error('the answer is whole');
    expect(stream).toHaveLength(body.length);
    expect((await buffer(stream.chunks)).equals(body)).toBe(true);
    stream.discard();
  });

  it('is streamed from largeBytes on, and buffered without Content-Length or for fetch', async () => {
    const { open } = await createClient(respondWith(jsonOfLength(LARGE_BYTES - 1)));
    expect(Buffer.isBuffer((await open()).body)).toBe(true);
    const large = await createClient(respondWith(jsonOfLength(LARGE_BYTES)));
    (await openStreaming(large.open)).discard();
    await expect(large.owners.fetch(operations.getOnlineSeries, {}, {})).resolves.toMatchObject({
      body: jsonOfLength(LARGE_BYTES),
    });
    const unsaid = await createClient((_req, res) => {
      res.writeHead(200, JSON_TYPE).write('[');
      res.end(']'.padStart(LARGE_BYTES, ' '));
    });
    expect(Buffer.isBuffer((await unsaid.open()).body)).toBe(true);
  });

  it('is unavailable when its content type is wrong or it is a large error', async () => {
    const html = await createClient(respondWith(jsonOfLength(5000), { 'Content-Type': 'text/html' }));
    await expect(html.open()).rejects.toMatchObject({ code: 'unavailable' });
    const fault = await createClient((_req, res) => {
      res.writeHead(404, { ...JSON_TYPE, 'Content-Length': 5000 }).end(jsonOfLength(5000));
    });
    await expect(fault.open()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('throws when the upstream aborts, even before it is read', async () => {
    const half: RequestListener = (_req, res) => {
      res.writeHead(200, { ...JSON_TYPE, 'Content-Length': 5000 });
      res.write(jsonOfLength(2000), () => res.destroy());
    };
    const { open } = await createClient(half);
    const [one, other] = [await openStreaming(open), await openStreaming(open)];
    await expect(buffer(one.chunks)).rejects.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(buffer(other.chunks)).rejects.toThrow();
  });

  it('applies backpressure while the client does not read, and arrives complete afterwards', async () => {
    const part = Buffer.alloc(1 << 16, '1');
    const parts = 1000;
    let poured = 0;
    const pour = (res: ServerResponse) => {
      while (poured < parts) {
        poured += 1;
        if (!res.write(part)) break;
      }
      if (poured === parts) res.end();
    };
    const { open, owners: upstreams } = await createClient((req, res) => {
      if (req.url?.includes('days') === true) {
        respondWith(jsonOfLength(2))(req, res);
        return;
      }
      res.writeHead(200, { ...JSON_TYPE, 'Content-Length': parts * part.length });
      res.on('drain', () => {
        pour(res);
      });
      pour(res);
    });
    const answer = await openStreaming(open);
    // Enough time to fill the kernel buffers on both sides many times.
    for (let i = 0; i < 200; i += 1) await upstreams.fetch(operations.getOnlineSeries, {}, { days: 1 });
    expect(poured).toBeLessThan(parts / 2);
    expect(await buffer(answer.chunks)).toHaveLength(parts * part.length);
  });

  it('closes the upstream connection when it is discarded or not read within streamMs', async () => {
    const closed: string[] = [];
    const { open } = await createClient(
      (_req, res) => {
        res.on('close', () => closed.push(res.writableFinished ? 'finished' : 'cut off'));
        res.writeHead(200, { ...JSON_TYPE, 'Content-Length': 50_000 }).write('[');
      },
      { streamMs: 150 },
    );
    const discarded = await openStreaming(open);
    discarded.discard();
    discarded.discard();
    await eventually(() => expect(closed).toEqual(['cut off']));
    const slow = await openStreaming(open);
    await expect(buffer(slow.chunks)).rejects.toThrow('within 150 ms');
    await eventually(() => expect(closed).toEqual(['cut off', 'cut off']));
  });

  it('times out when the upstream sends no head', async () => {
    const { open } = await createClient(() => undefined, { timeoutMs: 200 });
    await expect(open()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('leaves connections for other requests while all streaming permits are taken', async () => {
    const { open, owners: upstreams } = await createClient((req, res) => {
      if (req.url?.includes('days') === true) respondWith(jsonOfLength(10))(req, res);
      // Readers that wait for the upstream are not slow.
      else res.writeHead(200, { ...JSON_TYPE, 'Content-Length': 5000 }).flushHeaders();
    });
    const under = await Promise.all(Array.from({ length: STREAMS_MAX }, () => openStreaming(open)));
    for (let i = 0; i < 100; i += 1) await expect(open()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(upstreams.fetch(operations.getOnlineSeries, {}, { days: 1 })).resolves.toBeDefined();
    for (const answer of under) answer.discard();
    await eventually(async () => (await openStreaming(open)).discard());
  });

  it('of a stalled reader is aborted for another reader and counted as dropped', async () => {
    const outcomes: RequestOutcome[] = [];
    const hooks = {
      onOutcome: (_owner: string, outcome: RequestOutcome) => outcomes.push(outcome),
      onCircuitChange: () => undefined,
    };
    const { open } = await createClient(respondWith(jsonOfLength(5000)), { hooks });
    const stalled = await Promise.all(Array.from({ length: STREAMS_MAX }, () => openStreaming(open)));
    const other = await eventually(() => openStreaming(open));
    expect(await buffer(other.chunks)).toHaveLength(5000);
    expect(outcomes.filter((outcome) => outcome === 'dropped')).toHaveLength(1);
    const ends = await Promise.allSettled(stalled.map(({ chunks }) => buffer(chunks)));
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });
});

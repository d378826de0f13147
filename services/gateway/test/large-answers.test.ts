import type { RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import type { Outcome } from '../src/adapters/http/owner-hooks.ts';
import { UndiciOwners, type UndiciOwnersOptions } from '../src/adapters/http/undici-owners.ts';
import { isLarge, type LargeAnswer } from '../src/domain/owners.ts';
import { startBadOwner } from './running-gateway.ts';

const LARGE_BYTES = 1000;
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

async function ownersOf(listener: RequestListener, options: Partial<UndiciOwnersOptions> = {}) {
  const owners = new UndiciOwners({
    urls: { 'series-api': await startBadOwner(listener) },
    timeoutMs: 5000,
    maxBytes: 2000,
    largeBytes: LARGE_BYTES,
    headers: () => ({}),
    ...options,
  });
  cleanUp(() => owners.close());
  const open = () => owners.open(operations.getOnlineSeries, {}, {});
  return { owners, open };
}

const jsonOf = (length: number) => Buffer.from(`[${'1'.repeat(length - 2)}]`);

const answering = (body: Buffer, headers = {}): RequestListener => {
  return (_req, res) => void res.writeHead(200, { ...JSON_TYPE, 'Content-Length': body.length, ...headers }).end(body);
};

async function opened(open: () => ReturnType<UndiciOwners['open']>): Promise<LargeAnswer> {
  const answer = await open();
  if (!isLarge(answer)) throw new Error('the answer is whole');
  return answer;
}

describe('a large answer', () => {
  it('is handed on as it comes, with all that is said of it', async () => {
    const body = jsonOf(500_000);
    const said = { ETag: '"tag"', 'Last-Modified': 'Fri, 15 Jan 2027 08:00:00 GMT', Link: '<?offset=1>; rel="next"' };
    const { open } = await ownersOf(answering(body, said));
    const answer = await opened(open);
    expect(answer).toMatchObject({
      length: body.length,
      etag: said.ETag,
      lastModified: said['Last-Modified'],
      link: said.Link,
    });
    expect(await buffer(answer.chunks)).toEqual(body);
    answer.discard();
  });

  it('is one from its length on, and is whole where that is not said, or where it has to be', async () => {
    const { open } = await ownersOf(answering(jsonOf(LARGE_BYTES - 1)));
    expect(isLarge(await open())).toBe(false);
    const large = await ownersOf(answering(jsonOf(LARGE_BYTES)));
    (await opened(large.open)).discard();
    await expect(large.owners.ask(operations.getOnlineSeries, {}, {})).resolves.toMatchObject({
      body: jsonOf(LARGE_BYTES),
    });
    const unsaid = await ownersOf((_req, res) => {
      res.writeHead(200, JSON_TYPE).write('[');
      res.end(']'.padStart(LARGE_BYTES, ' '));
    });
    expect(isLarge(await unsaid.open())).toBe(false);
  });

  it('is unavailable where it is of another kind, and so is an error of that length', async () => {
    const html = await ownersOf(answering(jsonOf(5000), { 'Content-Type': 'text/html' }));
    await expect(html.open()).rejects.toMatchObject({ code: 'unavailable' });
    const fault = await ownersOf((_req, res) => {
      res.writeHead(404, { ...JSON_TYPE, 'Content-Length': 5000 }).end(jsonOf(5000));
    });
    await expect(fault.open()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('throws where its owner breaks off: before it is read, too', async () => {
    const half: RequestListener = (_req, res) => {
      res.writeHead(200, { ...JSON_TYPE, 'Content-Length': 5000 });
      res.write(jsonOf(2000), () => res.destroy());
    };
    const { open } = await ownersOf(half);
    const [one, other] = [await opened(open), await opened(open)];
    await expect(buffer(one.chunks)).rejects.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(buffer(other.chunks)).rejects.toThrow();
  });

  it('holds its owner up while nobody reads it, and comes whole when somebody does', async () => {
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
    const { open, owners } = await ownersOf((req, res) => {
      if (req.url?.includes('days') === true) {
        answering(jsonOf(2))(req, res);
        return;
      }
      res.writeHead(200, { ...JSON_TYPE, 'Content-Length': parts * part.length });
      res.on('drain', () => {
        pour(res);
      });
      pour(res);
    });
    const answer = await opened(open);
    // Time enough for far more than systems hold of a connection on either side.
    for (let i = 0; i < 200; i += 1) await owners.ask(operations.getOnlineSeries, {}, { days: 1 });
    expect(poured).toBeLessThan(parts / 2);
    expect(await buffer(answer.chunks)).toHaveLength(parts * part.length);
  });

  it('lets its owner go when it is discarded, or not taken in time', async () => {
    const closed: string[] = [];
    const { open } = await ownersOf(
      (_req, res) => {
        res.on('close', () => closed.push(res.writableFinished ? 'finished' : 'cut off'));
        res.writeHead(200, { ...JSON_TYPE, 'Content-Length': 50_000 }).write('[');
      },
      { streamMs: 150 },
    );
    const discarded = await opened(open);
    discarded.discard();
    discarded.discard();
    await eventually(() => expect(closed).toEqual(['cut off']));
    const slow = await opened(open);
    await expect(buffer(slow.chunks)).rejects.toThrow('within 150 ms');
    await eventually(() => expect(closed).toEqual(['cut off', 'cut off']));
  });

  it('does not wait longer than there is time for its beginning', async () => {
    const { open } = await ownersOf(() => undefined, { timeoutMs: 200 });
    await expect(open()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('leaves connections to other requests while all permits are taken', async () => {
    const { open, owners } = await ownersOf((req, res) => {
      if (req.url?.includes('days') === true) answering(jsonOf(10))(req, res);
      // Readers that wait for their owner are not slow.
      else res.writeHead(200, { ...JSON_TYPE, 'Content-Length': 5000 }).flushHeaders();
    });
    const under = await Promise.all(Array.from({ length: 16 }, () => opened(open)));
    for (let i = 0; i < 100; i += 1) await expect(open()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(owners.ask(operations.getOnlineSeries, {}, { days: 1 })).resolves.toBeDefined();
    for (const answer of under) answer.discard();
    await eventually(async () => (await opened(open)).discard());
  });

  it('is broken off for another reader when its own has stalled, and is counted', async () => {
    const outcomes: Outcome[] = [];
    const hooks = {
      became: (_owner: string, outcome: Outcome) => outcomes.push(outcome),
      circuitChanged: () => undefined,
    };
    const { open } = await ownersOf(answering(jsonOf(5000)), { hooks });
    const stalled = await Promise.all(Array.from({ length: 16 }, () => opened(open)));
    const other = await eventually(() => opened(open));
    expect(await buffer(other.chunks)).toHaveLength(5000);
    expect(outcomes.filter((outcome) => outcome === 'dropped')).toHaveLength(1);
    const ends = await Promise.allSettled(stalled.map(({ chunks }) => buffer(chunks)));
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });
});

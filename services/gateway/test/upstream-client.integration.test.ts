import type { RequestListener } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { operations } from '@lobbystats/contracts';
import { createLogger, createMetrics } from '@lobbystats/service-kit';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { upstreamHooks, type RequestOutcome } from '../src/upstreams/upstream-outcome.http.ts';
import { UndiciUpstreams, type UndiciUpstreamsOptions } from '../src/upstreams/upstreams.http.ts';
import { UNREACHABLE_URL, startRawUpstream } from './running-gateway.ts';

const JSON_TYPE = { 'Content-Type': 'application/json', 'Content-Length': 2 };
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]';

function createClient(url: string, options: Partial<UndiciUpstreamsOptions> = {}) {
  const outcomes: RequestOutcome[] = [];
  const circuit: [string, boolean][] = [];
  const upstreams = new UndiciUpstreams({
    urls: { 'series-api': url, 'reputation-api': url },
    timeoutMs: 5000,
    maxBytes: 1000,
    hooks: {
      onOutcome: (_owner, outcome) => outcomes.push(outcome),
      onCircuitChange: (upstream, isOpen) => circuit.push([upstream, isOpen]),
    },
    ...options,
  });
  cleanUp(() => upstreams.close());
  const ask = () => upstreams.fetch(operations.getOnlineSeries, {}, { days: 1 });
  const write = () =>
    upstreams.fetch(operations.rateProfile, { username: 'x' }, {}, { sessionKey: 'key', body: { stars: 1 } });
  return { owners: upstreams, outcomes, circuit, ask, write };
}

/** A raw TCP upstream; `hear` receives each request and its number. */
async function startTcpUpstream(hear: (socket: Socket, request: number) => void): Promise<string> {
  let requests = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests += 1;
      hear(socket, requests);
    });
  });
  cleanUp(() => server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

describe('response above the size limit', () => {
  it('is no failure of the upstream: the circuit stays closed for other requests', async () => {
    const large = OK.replace('2\r\n\r\n[]', `3000\r\n\r\n${'x'.repeat(3000)}`);
    const url = await startTcpUpstream((socket, request) => socket.write(request <= 8 ? large : OK));
    const { ask } = createClient(url);
    for (let i = 0; i < 8; i += 1) await expect(ask()).rejects.toThrow();
    await expect(ask()).resolves.toMatchObject({ body: Buffer.from('[]') });
  });
});

describe('connection that breaks before the response', () => {
  it('is retried once for a read', async () => {
    const url = await startTcpUpstream((socket, request) => {
      if (request === 2) socket.destroy();
      else socket.write(OK);
    });
    const { ask, outcomes } = createClient(url);
    for (let i = 0; i < 3; i += 1) await expect(ask()).resolves.toMatchObject({ body: Buffer.from('[]') });
    expect(outcomes).toEqual(['answered', 'retried', 'answered', 'answered']);
  });

  it('is retried for reads when a restarting upstream has reset idle connections', async () => {
    const sockets: Socket[] = [];
    const url = await startTcpUpstream((socket) => {
      sockets.push(socket);
      socket.write(OK);
    });
    const { ask, outcomes } = createClient(url);
    await Promise.all(Array.from({ length: 20 }, ask));
    for (const socket of sockets.splice(0)) socket.resetAndDestroy();
    await Promise.all(Array.from({ length: 20 }, ask));
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(40);
    expect(outcomes).not.toContain('failed');
  });

  it('fails a read when it happens twice', async () => {
    let seen = 0;
    const url = await startTcpUpstream((socket) => {
      seen += 1;
      socket.destroy();
    });
    const { ask, outcomes } = createClient(url);
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    expect([seen, outcomes]).toEqual([2, ['retried', 'failed']]);
  });

  it('fails a write, which may have been applied', async () => {
    let seen = 0;
    const url = await startTcpUpstream((socket) => {
      seen += 1;
      socket.destroy();
    });
    const { write, outcomes } = createClient(url);
    await expect(write()).rejects.toMatchObject({ code: 'unavailable' });
    expect([seen, outcomes]).toEqual([1, ['failed']]);
  });

  it('fails a read whose response had begun', async () => {
    const url = await startTcpUpstream((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n[1,2');
    });
    const { ask, outcomes } = createClient(url);
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    expect(outcomes).toEqual(['failed']);
  });

  it('shares one timeout between the attempt and its retry', async () => {
    const retried = Promise.withResolvers<undefined>();
    const url = await startTcpUpstream((socket, request) => {
      if (request === 1) setTimeout(() => socket.destroy(), 200);
      else retried.resolve(undefined);
    });
    const { ask } = createClient(url, { timeoutMs: 400 });
    const settled: string[] = [];
    const note = (name: string) => () => void settled.push(name);
    const first = ask().catch(note('retried'));
    await retried.promise;
    await Promise.all([first, ask().catch(note('begun with the retry'))]);
    expect(settled).toEqual(['retried', 'begun with the retry']);
  });
});

describe('upstream without responses', () => {
  it('opens its circuit after five failures in a row, and is probed once a second', async () => {
    let isBack = false;
    let seen = 0;
    const listener: RequestListener = (req, res) => {
      seen += 1;
      if (isBack) res.writeHead(200, JSON_TYPE).end('[]');
      else req.socket.destroy();
    };
    const { ask, write, outcomes, circuit } = createClient(await startRawUpstream(listener));
    for (let i = 0; i < 5; i += 1) await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    expect(circuit).toEqual([['series-api', true]]);
    seen = 0;
    await expect(ask()).rejects.toMatchObject({
      code: 'unavailable',
      cause: expect.objectContaining({ message: expect.stringContaining('series-api') }),
    });
    expect([seen, outcomes.at(-1)]).toEqual([0, 'circuit_open']);
    // Other upstreams are not affected.
    await expect(write()).rejects.toMatchObject({ code: 'unavailable' });
    expect(seen).toBe(1);
    isBack = true;
    await eventually(async () => expect(await ask()).toBeDefined());
    expect(circuit).toEqual([
      ['series-api', true],
      ['series-api', false],
    ]);
    await expect(ask()).resolves.toBeDefined();
  });

  it('is probed by one request a second, and all others are rejected at once', async () => {
    let seen = 0;
    const url = await startRawUpstream((req) => {
      seen += 1;
      if (seen <= 5) req.socket.destroy();
    });
    const { write, outcomes } = createClient(url, { timeoutMs: 2000 });
    for (let i = 0; i < 5; i += 1) await expect(write()).rejects.toMatchObject({ code: 'unavailable' });
    const tries: Promise<unknown>[] = [];
    await eventually(() => {
      tries.push(write().catch(() => undefined));
      expect(seen).toBe(6);
    });
    const before = outcomes.length;
    for (let i = 0; i < 10; i += 1) await expect(write()).rejects.toMatchObject({ code: 'unavailable' });
    expect([seen, outcomes.slice(before)]).toEqual([6, Array(10).fill('circuit_open')]);
    await Promise.all(tries);
  });

  it('is logged once and counted in the metrics', async () => {
    const lines: string[] = [];
    const metrics = createMetrics('gateway');
    const logger = createLogger({
      service: 'gateway',
      level: 'info',
      format: 'json',
      write: (line) => lines.push(line),
    });
    const { ask } = createClient(UNREACHABLE_URL, { hooks: upstreamHooks(logger, metrics) });
    for (let i = 0; i < 20; i += 1) await ask().catch(() => undefined);
    const samples = await metrics.registry.metrics();
    expect(samples).toContain('lobbystats_upstream_circuit_open{upstream="series-api",service="gateway"} 1');
    expect(samples).toContain(
      'lobbystats_upstream_requests_total{upstream="series-api",outcome="failed",service="gateway"} 5',
    );
    expect(samples).toContain(
      'lobbystats_upstream_requests_total{upstream="series-api",outcome="circuit_open",service="gateway"} 15',
    );
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'warn', upstream: 'series-api' });
  });

  it.each([500, 503, 404, 204])('does not include one that answers with %i', async (status) => {
    const { ask, circuit, outcomes } = createClient(
      await startRawUpstream((_req, res) => void res.writeHead(status).end()),
    );
    for (let i = 0; i < 10; i += 1) await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    expect([circuit, new Set(outcomes)]).toEqual([[], new Set(['answered'])]);
  });

  it('does not include one for which requests had no time left', async () => {
    const {
      owners: upstreams,
      circuit,
      outcomes,
    } = createClient(await startRawUpstream(() => undefined), { timeoutMs: 300 });
    const asker = upstreams.withSharedDeadline();
    await expect(asker.fetch(operations.getOnlineSeries, {}, {})).rejects.toMatchObject({ code: 'unavailable' });
    for (let i = 0; i < 10; i += 1) await asker.fetch(operations.getOnlineSeries, {}, {}).catch(() => undefined);
    expect([circuit, outcomes]).toEqual([[], ['failed', ...Array.from({ length: 10 }, () => 'timeout')]]);
  });
});

describe('concurrent requests to an upstream', () => {
  const large = { days: 30, titleIds: Array.from({ length: 2 }, (_, index) => `4d53000${index}`).join(',') };

  it.each([
    { share: 'with a session', connections: 256, waiting: 256 },
    { share: 'of large reads', connections: 2, waiting: 8 },
    { share: 'of others', connections: 16, waiting: 256 },
  ])('$share are $connections, $waiting more wait, and others are rejected at once', async (row) => {
    const { share, connections, waiting } = row;
    const held: (() => void)[] = [];
    const url = await startRawUpstream((_req, res) => {
      held.push(() => res.writeHead(200, JSON_TYPE).end('[]'));
    });
    const { owners: upstreams, ask, write, outcomes } = createClient(url, { timeoutMs: 30_000 });
    const send = {
      'with a session': write,
      'of large reads': () => upstreams.fetch(operations.compareGames, {}, large),
      'of others': ask,
    }[share]!;
    const sent = Array.from({ length: connections + waiting }, send);
    await expect(send()).rejects.toMatchObject({ code: 'unavailable' });
    expect(outcomes).toEqual(['rejected']);
    await eventually(() => expect(held).toHaveLength(connections));
    // Requests of the other shares don't wait behind them.
    const other = share === 'of others' ? write() : ask();
    await eventually(() => expect(held).toHaveLength(connections + 1));
    for (const answer of held.splice(0)) answer();
    await other;
    await eventually(() => {
      for (const answer of held.splice(0)) answer();
      // Those for which a busy machine had no connection in time were not sent.
      expect(outcomes).toHaveLength(connections + waiting + 2);
    });
    await Promise.allSettled(sent);
  });
});

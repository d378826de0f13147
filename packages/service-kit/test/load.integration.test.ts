import { request, type IncomingMessage } from 'node:http';
import { eventually, getJson } from '@lobbystats/test-kit';
import { excludeFromLoad } from '@lobbystats/service-kit';
import { monitorPressure, rejectionReason, type Pressure } from '../src/load/load-shedding.ts';
import { startExample, total } from './example-service.ts';

describe('monitorPressure', () => {
  function busyProcess(limitBytes = 1000) {
    const is = { busy: 0, bytes: 0, nowMs: 0 };
    const pressure = monitorPressure({
      ...{ utilization: () => is.busy, usedBytes: () => is.bytes, limitBytes, now: () => is.nowMs },
    });
    const work = (busy: number) => {
      is.busy = busy;
      is.nowMs += 1000;
      return pressure();
    };
    return { pressure, is, work };
  }

  it('reports event loop pressure above the high threshold until utilization is below the low one', () => {
    const { work } = busyProcess();
    expect([0.5, 0.9, 0.95, 0.8, 0.7, 0.9].map(work)).toEqual([
      ...[undefined, undefined, 'event_loop', 'event_loop'],
      ...[undefined, undefined],
    ]);
  });

  it('reports no pressure for a burst between two samples', () => {
    const { pressure, is, work } = busyProcess();
    is.busy = 1;
    expect(pressure()).toBeUndefined();
    expect(work(0.5)).toBeUndefined();
    is.busy = 1;
    is.nowMs += 999;
    expect(pressure()).toBeUndefined();
    expect(work(0.6)).toBeUndefined();
  });

  it('reports memory pressure above 90 % of the limit', () => {
    const { is, work } = busyProcess(1000);
    const strains = [899, 901, 500].map((bytes) => {
      is.bytes = bytes;
      return work(0);
    });
    expect(strains).toEqual([undefined, 'memory', undefined]);
  });
});

describe('rejectionReason', () => {
  it.each<[Pressure | undefined, number, string]>([
    ['event_loop', 64, 'event_loop'],
    ['memory', 64, 'memory'],
    [undefined, 1024, 'concurrency'],
  ])('with pressure %s, requests are rejected from %i in flight', (pressure, atMost, reason) => {
    expect(rejectionReason(atMost - 1, () => pressure)).toBeUndefined();
    expect(rejectionReason(atMost, () => pressure)).toBe(reason);
  });
});

describe('a service at its limit of requests in flight', () => {
  // A busy machine would add event loop pressure, with a lower limit.
  beforeEach(() => {
    jest.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ idle: 1, active: 0, utilization: 0 });
  });
  afterEach(() => jest.restoreAllMocks());

  /** Starts `count` requests that wait for `free`; resolves when all are in flight. */
  async function occupied(count: number) {
    const release = Promise.withResolvers<number>();
    const all = Promise.withResolvers<undefined>();
    let inHand = 0;
    const routes = [
      total(() => {
        inHand += 1;
        if (inHand === count) all.resolve(undefined);
        return release.promise;
      }),
    ];
    const example = await startExample({
      routes,
      defaultHeaders: { 'Access-Control-Allow-Origin': '*' },
      configure: (app) => {
        app.get('/stream', (_req, res) => {
          res.flushHeaders();
          excludeFromLoad(res);
        });
      },
    });
    const waiting = Array.from({ length: count }, () => requestStatus(`${example.url}/total`));
    await all.promise;
    const free = async () => {
      release.resolve(7);
      return Promise.all(waiting);
    };
    return { ...example, free, inHand: () => inHand };
  }

  it('rejects further requests with 503 and Retry-After until requests in flight end', async () => {
    const { url, samples, lines, free } = await occupied(1024);
    const { status, body, headers } = await getJson(`${url}/total`, { headers: { 'X-Request-Id': 'mine' } });
    expect([status, body]).toEqual([503, { error: 'Too much to do at the moment, try again soon' }]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'retry-after': '1',
      'cache-control': 'no-store',
      'x-request-id': 'mine',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    for (const path of ['/healthz', '/readyz']) expect((await getJson(`${url}${path}`)).status).toBe(200);
    expect(await samples()).toContain('lobbystats_requests_shed_total{reason="concurrency",service="example"} 1\n');
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
    expect(new Set(await free())).toEqual(new Set([200]));
    expect((await getJson(`${url}/total`)).status).toBe(200);
  });

  it('does not count responses that are excluded from the load, also once they have ended', async () => {
    const { url, free, inHand } = await occupied(1022);
    const streams = await Promise.all([openStream(`${url}/stream`), openStream(`${url}/stream`)]);
    streams[0].destroy();
    const further = [requestStatus(`${url}/total`), requestStatus(`${url}/total`)];
    await eventually(() => expect(inHand()).toBe(1024));
    expect((await getJson(`${url}/total`)).status).toBe(503);
    await free();
    expect(await Promise.all(further)).toEqual([200, 200]);
    streams[1].destroy();
  });
});

/** Resolves at the head of the response. */
function openStream(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false }, resolve).on('error', reject).end();
  });
}

/** Uses a separate connection. @returns the status of the response */
function requestStatus(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const req = request(url, { agent: false }, (res) => {
      res.resume().on('end', () => {
        resolve(res.statusCode);
      });
    });
    req.on('error', reject).end();
  });
}

import { IncomingMessage, request, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { getJson } from '@lobbystats/test-kit';
import { staysOpen } from '@lobbystats/service-kit';
import { Load } from '../src/load/load.ts';
import { TICK_MS, watchStrain, type Strain } from '../src/load/watch-strain.ts';
import { startExample, total } from './example-service.ts';

describe('a process', () => {
  /** One that works for so long in a turn, turn after turn. */
  function busyProcess(boundBytes = 1000) {
    const held = { bytes: 0 };
    let now = 5000;
    const watch = watchStrain({ now: () => now, heldBytes: () => held.bytes, boundBytes });
    const work = (turnMs: number, forMs: number) => {
      for (const end = now + forMs; now < end;) {
        now += Math.max(TICK_MS, turnMs);
        watch.tick();
      }
    };
    return { watch, held, work };
  }

  it('is short of time when it is late for a second and more, and no longer when it keeps up', () => {
    const { watch, work } = busyProcess();
    work(10, 3000);
    expect(watch.current()).toBeUndefined();
    work(100, 2500);
    expect(watch.current()).toBe('time');
    work(10, 2500);
    expect(watch.current()).toBeUndefined();
  });

  it('is short of time until it is late by far less than at first', () => {
    const { watch, work } = busyProcess();
    work(100, 2500);
    work(TICK_MS + 30, 5000);
    expect(watch.current()).toBe('time');
    const other = busyProcess();
    other.work(TICK_MS + 30, 5000);
    expect(other.watch.current()).toBeUndefined();
  });

  it('is not short of time because of one long piece of work, nor of a burst that it works off', () => {
    const { watch, work } = busyProcess();
    for (let i = 0; i < 20; i += 1) {
      work(3000, 1);
      work(10, 200);
      work(100, 800);
      work(10, 25);
      expect(watch.current()).toBeUndefined();
    }
  });

  it('is short of memory while it holds nearly all that it may', () => {
    const { watch, held, work } = busyProcess(1000);
    held.bytes = 899;
    work(10, 1100);
    expect(watch.current()).toBeUndefined();
    held.bytes = 901;
    work(10, 1100);
    expect(watch.current()).toBe('memory');
    held.bytes = 500;
    work(10, 1100);
    expect(watch.current()).toBeUndefined();
  });
});

describe('load', () => {
  const responses = (count: number) =>
    Array.from({ length: count }, () => new ServerResponse(new IncomingMessage(new Socket())));

  it.each<[Strain | undefined, number, string]>([
    ['time', 128, 'time'],
    ['memory', 128, 'memory'],
    [undefined, 1024, 'number'],
  ])('of a process that is short of %s is refused above %i in flight', (strain, atMost, reason) => {
    const load = new Load(() => strain);
    const [last, ...others] = responses(atMost);
    for (const res of others) load.entered(res);
    expect(load.refusal()).toBeUndefined();
    load.entered(last!);
    expect(load.refusal()).toBe(reason);
    load.left(last!);
    expect(load.refusal()).toBeUndefined();
  });

  it('counts an answer that stays open no longer, and its end not twice', () => {
    const load = new Load(() => undefined);
    const [stream, other] = responses(2);
    load.entered(stream!);
    load.entered(other!);
    staysOpen(stream!);
    expect(load.inFlight).toBe(1);
    load.left(stream!);
    staysOpen(stream!);
    expect(load.inFlight).toBe(1);
    load.left(other!);
    expect(load.inFlight).toBe(0);
  });
});

describe('a service with all in hand that it can have', () => {
  /** So many requests that never end by themselves; resolves when all are in hand. */
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
    const example = await startExample({ routes, everyAnswer: { 'Access-Control-Allow-Origin': '*' } });
    const waiting = Array.from({ length: count }, () => ask(`${example.url}/total`));
    await all.promise;
    const free = async () => {
      release.resolve(7);
      return Promise.all(waiting);
    };
    return { ...example, free };
  }

  it('refuses more at once with a word on when to come again, answers all that it has, and takes others then', async () => {
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
    expect(await samples()).toContain('lobbystats_requests_refused_total{reason="number",service="example"} 1\n');
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
    expect(new Set(await free())).toEqual(new Set([200]));
    expect((await getJson(`${url}/total`)).status).toBe(200);
  });
});

/** The status of an answer, over a connection of its own. */
function ask(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const req = request(url, { agent: false }, (res) => {
      res.resume().on('end', () => {
        resolve(res.statusCode);
      });
    });
    req.on('error', reject).end();
  });
}

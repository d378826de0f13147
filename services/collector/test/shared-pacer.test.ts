import { mostInASecond } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { SETTLE_MS, type PermitStore } from '../src/network/permit-store.ts';
import { requestQueue, type RequestQueue } from '../src/network/request-queue.ts';
import { sharedPacer } from '../src/network/shared-pacer.timers.ts';
import type { Pacer } from '../src/network/pacer.ts';
import { memoryPermitStore } from './memory-permit-store.ts';
import { silentTelemetry } from './silent-telemetry.ts';

const MINUTE_MS = 60_000;

/** The difference between the server's clock and the local one; a test sets it. */
let serverAheadMs: number;
/** The time before and after the server's work. */
let latencyMs: number;
let isUnavailable: boolean;
let permits: PermitStore;
let sent: number[];
let stopping: AbortController;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] });
  serverAheadMs = 12_345;
  latencyMs = 5;
  isUnavailable = false;
  permits = memoryPermitStore(() => Math.floor(performance.timeOrigin + performance.now() + serverAheadMs));
  sent = [];
  stopping = new AbortController();
});
afterEach(() => {
  stopping.abort();
  jest.useRealTimers();
});

const remote: PermitStore = {
  look: () => answer(() => permits.look()),
  reserve: (count, stepMs) => answer(() => permits.reserve(count, stepMs)),
  announceQuiet: (waitMs) => answer(() => permits.announceQuiet(waitMs)),
};

/** Under fake timers. */
const latency = () =>
  new Promise<void>((resolve) => {
    setTimeout(() => {
      resolve();
    }, latencyMs);
  });

async function answer<Result>(work: () => Promise<Result>): Promise<Result> {
  await latency();
  if (isUnavailable) throw new Error('no primary');
  const result = await work();
  await latency();
  return result;
}

interface Replica {
  pacer: Pacer;
  queue: RequestQueue;
}

function replica(perSecond: number): Replica {
  const { signal } = stopping;
  const pacer = sharedPacer({
    store: remote,
    perSecond: () => perSecond,
    telemetry: silentTelemetry,
    stopping: signal,
  });
  return { pacer, queue: requestQueue({ pacer, perSecond, signal }) };
}

/** Sends requests until the test ends. */
function send({ queue, pacer }: Replica, count: number, isNeeded = () => true): void {
  for (let index = 0; index < count; index += 1) {
    const isNeededNow = () => !stopping.signal.aborted && isNeeded() && pacer.quietMs() <= 0;
    void queue.permit('usual', isNeededNow).then((isPermitted) => isPermitted && sent.push(performance.now()));
  }
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const sentWithin = (fromMs: number, toMs: number) => sent.filter((ms) => ms >= fromMs && ms < toMs).length;

describe('sharedPacer', () => {
  it('sends the requests of two replicas ten seconds apart with a tenth of a request a second', async () => {
    const replicas = [replica(0.1), replica(0.1)];
    for (const each of replicas) send(each, 10);
    await pass(2 * MINUTE_MS);
    expect(sent.length).toBeGreaterThanOrEqual(9);
    expect(Math.min(...sent.slice(1).map((ms, index) => ms - (sent[index] ?? 0)))).toBeGreaterThanOrEqual(10_000);
  });

  it('sends one replica’s requests at nearly the full rate', async () => {
    send(replica(20), 1000);
    await pass(SETTLE_MS + 20_000);
    expect(sent.length).toBeGreaterThan(0.92 * 400);
    expect(mostInASecond(sent)).toBeLessThanOrEqual(20);
  });

  it('shares the rate among eight replicas', async () => {
    const all = Array.from({ length: 8 }, () => replica(20));
    for (const one of all) send(one, 1000);
    await pass(20_000);
    expect(sent.length).toBeGreaterThan(0.9 * 400);
    expect(mostInASecond(sent)).toBeLessThanOrEqual(20);
  });

  it('leaves the whole rate to the only replica with requests', async () => {
    const all = Array.from({ length: 8 }, () => replica(20));
    for (const one of all) send(one, 5);
    await pass(10_000);
    const before = sent.length;
    send(all[3]!, 1000);
    await pass(10_000);
    expect(sent.length - before).toBeGreaterThan(0.9 * 200);
  });

  it('sends no request while the store is unavailable, and no burst afterwards', async () => {
    send(replica(20), 1000);
    await pass(5000);
    isUnavailable = true;
    await pass(1000);
    const before = sent.length;
    await pass(10_000);
    expect(sent).toHaveLength(before);
    isUnavailable = false;
    await pass(5000);
    expect(sent.length - before).toBeGreaterThan(80);
    expect(mostInASecond(sent)).toBeLessThanOrEqual(20);
  });

  it('gives up a request that is no longer needed while the store is unavailable', async () => {
    isUnavailable = true;
    let isNeeded = true;
    const { queue } = replica(20);
    const outcome = queue.permit('usual', () => isNeeded);
    await pass(5000);
    isNeeded = false;
    await pass(200);
    expect(await outcome).toBe(false);
  });

  it('stops all replicas for a Retry-After that one of them announces', async () => {
    const all = Array.from({ length: 8 }, () => replica(20));
    for (const one of all) send(one, 100);
    await pass(5000);
    const announcedMs = performance.now();
    all[0]?.pacer.announceQuiet(10_000);
    await pass(10_100);
    expect(sentWithin(announcedMs + SETTLE_MS, announcedMs + 10_000)).toBe(0);
    for (const one of all) send(one, 100);
    await pass(10_000);
    expect(sentWithin(announcedMs + 10_000, announcedMs + 20_000)).toBeGreaterThan(150);
  });

  it('drops the permits of a process that was suspended', async () => {
    const suspended = replica(20);
    send(suspended, 1000);
    await pass(5000);
    const before = sent.length;
    // Only the wall clock has passed for a machine that was suspended.
    jest.setSystemTime(Date.now() + MINUTE_MS);
    isUnavailable = true;
    await pass(1000);
    expect(sent).toHaveLength(before);
  });

  it('keeps to the limit with slow answers, late timers and a clock of the server that is set at any time', async () => {
    const change = fc.record({
      afterMs: fc.integer({ min: 10, max: 3000 }),
      setMs: fc.oneof(fc.integer({ min: -MINUTE_MS, max: MINUTE_MS }), fc.integer({ min: -2000, max: 2000 })),
      latencyMs: fc.nat(120),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.array(change, { maxLength: 4 }),
        async (perSecond, changes) => {
          sent = [];
          latencyMs = 5;
          serverAheadMs = 12_345;
          permits = memoryPermitStore(() => Math.floor(performance.timeOrigin + performance.now() + serverAheadMs));
          const all = Array.from({ length: 4 }, () => replica(perSecond));
          for (const one of all) send(one, 400);
          for (const { afterMs, setMs, latencyMs: nextMs } of changes) {
            await pass(afterMs);
            serverAheadMs += setMs;
            latencyMs = nextMs;
            send(replica(perSecond), 50);
          }
          latencyMs = 5;
          await pass(12_000);
          expect(mostInASecond(sent)).toBeLessThanOrEqual(perSecond);
          expect(sentWithin(performance.now() - 3000, performance.now())).toBeGreaterThan(0);
          stopping.abort();
          await pass(500);
          stopping = new AbortController();
        },
      ),
      // One request a second: the steps are longer than the time in which old permits are dropped.
      { numRuns: 15, examples: [[1, [{ afterMs: 1171, setMs: 37_680, latencyMs: 8 }]]] },
    );
  });
});

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { eventually, mostWithin, repetitions, seedOfRun } from '@lobbystats/test-kit';
import { startTcpProxy, type TcpProxy } from '@lobbystats/test-kit/tcp-proxy';
import { RabbitMqBroker } from '@lobbystats/test-kit/test-broker';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { createVhost, type TestVhost } from '@lobbystats/test-kit/test-vhost';
import fc from 'fast-check';
import { openMongoCollectorStore } from '../src/collector-store.mongo.ts';
import { prepareCollectorDatabase } from './collector-database.ts';
import { startCollectorProcess, type CollectorProcess } from './collector-processes.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';
import { expectedObservation, sorted } from './run-slots.ts';

const COLLECTORS = 8;
const MAX_RPS = 20;
const TITLES = 60;
/** Pages that a collector may have taken and not yet requested. */
const JOBS_AT_ONCE = 2;
const SLOT_SECONDS = 300;
const DEADLINE_SECONDS = 120;
const LEADER_KILLS = repetitions(5);
const BROKER_PAUSE_MS = 30_000;
const LEADER_STOP_MS = 20_000;
const RETRY_AFTER_SECONDS = 4;
/** The histogram's resolution. */
const RESOLUTION_MS = 1;

let database: TestDatabase;
let broker: RabbitMqBroker;
let vhost: TestVhost;
let stage: Stage;
let collectors: CollectorProcess[];
/** Between RabbitMQ and the first collector. */
let proxy: TcpProxy;
let slots = 0;
/** The network notices requests later while the event loop of this process is delayed. */
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

beforeAll(async () => {
  database = await prepareCollectorDatabase('test_shared_work');
  await database.clear();
  broker = await RabbitMqBroker.start();
  vhost = await createVhost('collector', broker);
  stage = await setStage({
    titles: TITLES,
    openMatches: 1500,
    // More registered users than users online.
    players: 50_000,
    boards: 0,
    openStore: () => openMongoCollectorStore(database.url, 'simulated'),
    openBus: (clock) => vhost.openBus(clock),
  });
  stage.clock.nowMs = (SLOT - 1) * 1000;
  const busUrl = new URL(vhost.serviceUrl);
  proxy = await startTcpProxy(Number(busUrl.port));
  busUrl.port = String(proxy.port);
  collectors = [await start(busUrl.href)];
  await leader();
  collectors.push(...(await Promise.all(Array.from({ length: COLLECTORS - 1 }, () => start()))));
  delay.enable();
});
afterAll(async () => {
  await Promise.all(collectors.map((collector) => collector.kill()));
  await proxy.close();
  await stage.close();
  await database.clear();
  await broker.remove();
});

function start(busUrl = vhost.serviceUrl): Promise<CollectorProcess> {
  return startCollectorProcess({
    networkUrl: stage.url,
    databaseUrl: database.url,
    busUrl,
    nowMs: stage.clock.nowMs,
    maxRps: MAX_RPS,
  });
}

async function leader(except?: CollectorProcess): Promise<CollectorProcess> {
  const leading = () => collectors.find((collector) => collector !== except && collector.leads());
  await eventually(() => expect(leading()).toBeDefined());
  return leading()!;
}

async function arrivals(): Promise<number[]> {
  const answer = await fetch(`${stage.url}/simulator/requests/arrivals`);
  return ((await answer.json()) as { milliseconds: number[] }).milliseconds;
}

/**
 * Collects the next slot, which lacks nothing; `incident` happens once a number of requests have arrived. Returns when
 * the requests of the slot arrived.
 */
async function expectWholeSlot(incident: () => unknown, requests = MAX_RPS): Promise<number[]> {
  const slot = SLOT + slots * SLOT_SECONDS;
  slots += 1;
  const before = (await arrivals()).length;
  stage.clock.nowMs = slot * 1000;
  const begunMs = performance.now();
  for (const collector of collectors) collector.begin(stage.clock.nowMs);
  const isUnderWay = async () => expect((await arrivals()).length).toBeGreaterThan(before + requests);
  await eventually(isUnderWay, { everyMs: 5 });
  await incident();
  const isPublished = async () => expect(await stage.store.slots.state(slot)).toBe('published');
  await eventually(isPublished, { timeoutMs: DEADLINE_SECONDS * 1000 - (performance.now() - begunMs), everyMs: 100 });

  const truth = expectedObservation(stage.world, slot);
  const messages = () => stage.slots.filter(({ data }) => data.slot === truth.slot);
  await eventually(() => expect(messages().length).toBeGreaterThan(0));
  const once = { id: `slot.observed:simulated:${truth.slot}`, data: sorted(truth) };
  expect(messages().map(({ id, data }) => ({ id, data: sorted(data) }))).toEqual(messages().map(() => once));
  return (await arrivals()).slice(before);
}

/** The leader keeps the pace; on the way to the network a second's requests meet those that collectors have taken before. */
function expectWithinLimit(arrivedMs: readonly number[]): void {
  const most = mostWithin(1000 - delay.max / 1e6, arrivedMs);
  expect(most).toBeLessThanOrEqual(MAX_RPS + COLLECTORS * JOBS_AT_ONCE);
}

/** A new one, with the clock of the others. */
async function replace(killed: CollectorProcess): Promise<void> {
  await killed.kill();
  collectors.splice(collectors.indexOf(killed), 1);
  collectors.push(await start());
}

describe('eight collectors that share their work', () => {
  it('use their rate together, evenly', async () => {
    // In its first slot each starts its parser, and what the others read meanwhile says nothing of later slots.
    await expectWholeSlot(() => undefined);
    const before = collectors.map((collector) => collector.pages());
    const arrivedMs = await expectWholeSlot(() => undefined);
    expectWithinLimit(arrivedMs);
    // More than half, also on a busy machine: eight fixed shares would be an eighth each.
    expect(mostWithin(1000, arrivedMs)).toBeGreaterThan(MAX_RPS / 2);
    const { maxConcurrentByPath } = await stage.requests();
    // A page that takes 5 s is asked for again.
    expect(Math.max(...Object.values(maxConcurrentByPath))).toBeLessThanOrEqual(2);
    const shares = collectors.map((collector, index) => collector.pages() - before[index]!);
    // In turn, but a busy machine may run one of them more seldom.
    expect(Math.min(...shares)).toBeGreaterThan(0);
    expect(Math.max(...shares)).toBeLessThan(shares.reduce((sum, share) => sum + share) / 2);
  });

  it('miss nothing when the leader’s connection is half open, and it ends', async () => {
    const leading = await leader();
    expect(leading).toBe(collectors[0]);
    await expectWholeSlot(async () => {
      proxy.stall();
      await eventually(() => expect(leading.leads()).toBe(false));
      const sent = leading.pages();
      await leader(leading);
      expect(leading.pages()).toBe(sent);
    });
    await proxy.restore();
  });

  it('keep to their rate while two that work are killed', async () => {
    const leading = await leader();
    const arrivedMs = await expectWholeSlot(async () => {
      for (const victim of collectors.filter((collector) => collector !== leading).slice(0, 2)) await replace(victim);
    });
    expectWithinLimit(arrivedMs);
  });

  it('keep to their rate while one that works is stopped and continues', async () => {
    const leading = await leader();
    const stopped = collectors.find((collector) => collector !== leading)!;
    const arrivedMs = await expectWholeSlot(async () => {
      stopped.signal('SIGSTOP');
      const before = (await arrivals()).length;
      const othersSent = async () => expect((await arrivals()).length).toBeGreaterThan(before + MAX_RPS);
      await eventually(othersSent, { timeoutMs: 100_000 }).finally(() => stopped.signal('SIGCONT'));
    });
    expectWithinLimit(arrivedMs);
  });

  it('miss nothing in the slots in which the leader is killed', async () => {
    const requestsBefore = fc.sample(fc.integer({ min: 0, max: 2 * MAX_RPS }), {
      seed: seedOfRun(),
      numRuns: LEADER_KILLS,
    });
    for (const requests of requestsBefore) {
      const victim = await leader();
      await expectWholeSlot(() => replace(victim), requests);
    }
  });

  it('miss nothing while the leader is stopped, which sends what it has taken when it continues', async () => {
    const stopped = await leader();
    const begunMs = performance.now();
    await expectWholeSlot(() => stopped.signal('SIGSTOP'));
    const isLongEnough = () => expect(performance.now() - begunMs).toBeGreaterThan(LEADER_STOP_MS);
    await eventually(isLongEnough, { timeoutMs: 2 * LEADER_STOP_MS });
    const before = stopped.pages();
    stopped.signal('SIGCONT');
    await eventually(() => expect(stopped.leads()).toBe(false));
    expect(stopped.pages() - before).toBeLessThanOrEqual(JOBS_AT_ONCE);
    await expectWholeSlot(() => undefined);
  });

  it('miss nothing while RabbitMQ is paused', async () => {
    await expectWholeSlot(async () => {
      await broker.pause();
      const pausedMs = performance.now();
      const isLongEnough = () => expect(performance.now() - pausedMs).toBeGreaterThan(BROKER_PAUSE_MS);
      await eventually(isLongEnough, { timeoutMs: 2 * BROKER_PAUSE_MS }).finally(() => broker.unpause());
    });
  });

  it('are all quiet after one got a Retry-After', async () => {
    const before = (await arrivals()).length;
    await expectWholeSlot(() =>
      stage.faults({ path: '/games', kind: 'status', status: 503, retryAfter: RETRY_AFTER_SECONDS, times: 1 }),
    );
    const later = (await arrivals()).slice(before);
    const quietMs = RETRY_AFTER_SECONDS * 1000 - 500;
    const periods = later.filter((from) => from + quietMs <= later.at(-1)!);
    const counts = periods.map((from) => later.filter((ms) => ms > from && ms < from + quietMs).length);
    // Each collector may have sent a request before, which arrives late.
    expect(Math.min(...counts)).toBeLessThanOrEqual(COLLECTORS);
  });
});

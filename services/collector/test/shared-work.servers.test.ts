import { monitorEventLoopDelay } from 'node:perf_hooks';
import { eventually, mostInASecond, repetitions, seedOfRun } from '@lobbystats/test-kit';
import { RabbitMqBroker } from '@lobbystats/test-kit/test-broker';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { createVhost, type TestVhost } from '@lobbystats/test-kit/test-vhost';
import fc from 'fast-check';
import { openMongoCollectorStore } from '../src/database/collector-store.mongo.ts';
import { prepareCollectorDatabase } from './collector-database.ts';
import { startCollectorProcess, type CollectorProcess } from './collector-processes.ts';
import { expectedObservation, setStage, SLOT, sorted, type Stage } from './running-collector.ts';

const COLLECTORS = 8;
const MAX_RPS = 20;
const SLOT_SECONDS = 300;
const DEADLINE_SECONDS = 120;
const LEADER_KILLS = repetitions(5);
const PAUSE_MS = 30_000;
const RETRY_AFTER_SECONDS = 4;
/** The histogram's resolution. */
const RESOLUTION_MS = 1;

let database: TestDatabase;
let broker: RabbitMqBroker;
let vhost: TestVhost;
let stage: Stage;
let collectors: CollectorProcess[];
let slots = 0;
/** The network notices requests later while the event loop of this process is delayed. */
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

beforeAll(async () => {
  database = await prepareCollectorDatabase('test_shared_work');
  await database.clear();
  broker = await RabbitMqBroker.start();
  vhost = await createVhost('collector', broker);
  stage = await setStage({
    titles: 60,
    openMatches: 1500,
    // More registered users than users online.
    players: 50_000,
    boards: 0,
    openStore: () => openMongoCollectorStore(database.url, 'simulated'),
    openBus: (clock) => vhost.openBus(clock),
  });
  stage.clock.nowMs = (SLOT - 1) * 1000;
  collectors = await Promise.all(Array.from({ length: COLLECTORS }, start));
  await leader();
  delay.enable();
});
afterAll(async () => {
  await Promise.all(collectors.map((collector) => collector.kill()));
  await stage.close();
  await database.clear();
  await broker.remove();
});

function start(): Promise<CollectorProcess> {
  return startCollectorProcess({
    networkUrl: stage.url,
    databaseUrl: database.url,
    busUrl: vhost.serviceUrl,
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

/** Collects the next slot, which lacks nothing; `incident` happens once a number of requests have arrived. */
async function expectWholeSlot(incident: () => Promise<void>, requests = MAX_RPS): Promise<void> {
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
  expect(mostInASecond(await arrivals(), delay.max / 1e6)).toBeLessThanOrEqual(MAX_RPS);
}

/** A new one, with the clock of the others. */
async function replace(killed: CollectorProcess): Promise<void> {
  await killed.kill();
  collectors.splice(collectors.indexOf(killed), 1);
  collectors.push(await start());
}

describe('eight collectors that share their work', () => {
  it('use their rate together', async () => {
    await expectWholeSlot(() => Promise.resolve());
    // More than half, also on a busy machine: eight fixed shares would be an eighth each.
    expect(mostInASecond(await arrivals())).toBeGreaterThan(MAX_RPS / 2);
    const { maxConcurrentByPath } = await stage.requests();
    expect(Math.max(...Object.values(maxConcurrentByPath))).toBe(1);
  });

  it('keep to their rate while two that work are killed', async () => {
    const leading = await leader();
    await expectWholeSlot(async () => {
      for (const victim of collectors.filter((collector) => collector !== leading).slice(0, 2)) await replace(victim);
    });
  });

  it('keep to their rate while one that works is paused and continues', async () => {
    const leading = await leader();
    const paused = collectors.find((collector) => collector !== leading);
    await expectWholeSlot(async () => {
      paused?.signal('SIGSTOP');
      const before = (await arrivals()).length;
      const othersSent = async () => expect((await arrivals()).length).toBeGreaterThan(before + MAX_RPS);
      await eventually(othersSent, { timeoutMs: 100_000 }).finally(() => paused?.signal('SIGCONT'));
    });
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

  it('miss nothing while the leader is paused, and it does no harm when it continues', async () => {
    const paused = await leader();
    await expectWholeSlot(async () => {
      paused.signal('SIGSTOP');
      await leader(paused).finally(() => paused.signal('SIGCONT'));
    });
    await eventually(() => expect(collectors.filter((collector) => collector.leads())).toHaveLength(1));
    await expectWholeSlot(() => Promise.resolve());
  });

  it('miss nothing while RabbitMQ is paused', async () => {
    await expectWholeSlot(async () => {
      await broker.pause();
      const pausedMs = performance.now();
      const isLongEnough = () => expect(performance.now() - pausedMs).toBeGreaterThan(PAUSE_MS);
      await eventually(isLongEnough, { timeoutMs: 2 * PAUSE_MS }).finally(() => broker.unpause());
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

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { eventually, mostInASecond } from '@lobbystats/test-kit';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { createVhost, type TestVhost } from '@lobbystats/test-kit/test-vhost';
import { openMongoCollectorStore } from '../src/database/collector-store.mongo.ts';
import { FRESH_MS } from '../src/network/permit-store.ts';
import { prepareCollectorDatabase } from './collector-database.ts';
import { startCollectorProcess, type CollectorProcess } from './collector-processes.ts';
import { expectedObservation, setStage, SLOT, sorted, type Stage } from './running-collector.ts';

const COLLECTORS = 8;
const MAX_RPS = 20;
const SLOT_SECONDS = 300;
const RETRY_AFTER_SECONDS = 4;
/** The histogram's resolution. */
const RESOLUTION_MS = 1;

let database: TestDatabase;
let vhost: TestVhost;
let stage: Stage;
let collectors: CollectorProcess[];
/** The network notices requests later while the event loop of this process is delayed. */
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

beforeAll(async () => {
  database = await prepareCollectorDatabase('test_shared_rate');
  await database.clear();
  vhost = await createVhost('collector');
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
  delay.enable();
}, 240_000);
afterAll(async () => {
  await Promise.all(collectors.map((collector) => collector.kill()));
  await stage.close();
  await database.clear();
  await vhost.remove();
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

async function arrivals(): Promise<number[]> {
  const answer = await fetch(`${stage.url}/simulator/requests/arrivals`);
  return ((await answer.json()) as { milliseconds: number[] }).milliseconds;
}

/** Collects a slot; `incident` happens once a number of requests have arrived. */
async function collect(index: number, incident: () => Promise<void>): Promise<void> {
  const slot = SLOT + index * SLOT_SECONDS;
  const before = (await arrivals()).length;
  stage.clock.nowMs = slot * 1000;
  for (const collector of collectors) collector.begin(stage.clock.nowMs);
  const isUnderWay = async () => expect((await arrivals()).length).toBeGreaterThan(before + MAX_RPS);
  await eventually(isUnderWay, { timeoutMs: 100_000 });
  await incident();
  const isPublished = async () => expect(await stage.store.slots.state(slot)).toBe('published');
  await eventually(isPublished, { timeoutMs: 110_000, everyMs: 100 });

  const truth = expectedObservation(stage.world, slot);
  const messages = () => stage.slots.filter(({ data }) => data.slot === truth.slot);
  await eventually(() => expect(messages().length).toBeGreaterThan(0));
  const once = { id: `slot.observed:simulated:${truth.slot}`, data: sorted(truth) };
  expect(messages().map(({ id, data }) => ({ id, data: sorted(data) }))).toEqual(messages().map(() => once));
}

async function expectPolite(): Promise<void> {
  const arrived = await arrivals();
  const delayMs = delay.max / 1e6;
  expect(mostInASecond(arrived, delayMs)).toBeLessThanOrEqual(MAX_RPS);
}

describe('eight collectors that share one limit of requests', () => {
  it('use it together', async () => {
    await collect(0, () => Promise.resolve());
    await expectPolite();
    // More than half, also on a busy machine: eight fixed shares would be an eighth each.
    expect(mostInASecond(await arrivals())).toBeGreaterThan(MAX_RPS / 2);
  }, 240_000);

  it('keep to it while two are killed', async () => {
    await collect(1, async () => {
      await Promise.all(collectors.splice(0, 2).map((collector) => collector.kill()));
    });
    await expectPolite();
  }, 240_000);

  it('keep to it while one is paused and continues', async () => {
    await collect(2, async () => {
      const [paused] = collectors;
      paused?.signal('SIGSTOP');
      const before = (await arrivals()).length;
      const othersSent = async () => expect((await arrivals()).length).toBeGreaterThan(before + MAX_RPS);
      await eventually(othersSent, { timeoutMs: 100_000 }).finally(() => paused?.signal('SIGCONT'));
    });
    await expectPolite();
  }, 240_000);

  it('keep to it when new ones start', async () => {
    stage.clock.nowMs = (SLOT + 3 * SLOT_SECONDS - 1) * 1000;
    collectors.push(...(await Promise.all([start(), start()])));
    await collect(3, () => Promise.resolve());
    await expectPolite();
  }, 240_000);

  it('are all quiet after one got a Retry-After', async () => {
    const before = (await arrivals()).length;
    await collect(4, () =>
      stage.faults({ path: '/games', kind: 'status', status: 503, retryAfter: RETRY_AFTER_SECONDS, times: 1 }),
    );
    await expectPolite();
    const later = (await arrivals()).slice(before);
    const pauses = later.map((ms, index) => ms - (later[index - 1] ?? ms));
    expect(Math.max(...pauses)).toBeGreaterThan(RETRY_AFTER_SECONDS * 1000 - FRESH_MS);
  }, 240_000);
});

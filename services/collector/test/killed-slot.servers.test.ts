import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '@lobbystats/test-kit';
import { createVhost, type TestVhost } from '@lobbystats/test-kit/test-vhost';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoCollectorStore } from '../src/collector-store.mongo.ts';
import type { TestCollectorOptions } from './fixtures/collector.ts';
import { killedSlotContract } from './killed-slot.contract.ts';
import { prepareCollectorDatabase } from './collector-database.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';
import { sorted, expectedObservation } from './run-slots.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/collector.ts');
/** Number of requests after which the collector is killed; the homepage is the first. */
const REQUESTS_BEFORE_KILL = [1, 2, 4, 7, 10, 13];

let slots: TestDatabase;
beforeAll(async () => {
  slots = await prepareCollectorDatabase('test_killed_slots');
});
afterAll(() => slots.clear());
const openStore = async () => {
  await slots.clear();
  return openMongoCollectorStore(slots.url, 'simulated');
};

describe('a killed collector with a MongoDB store', () => {
  killedSlotContract(openStore);
});

describe('collector replicas with MongoDB and RabbitMQ', () => {
  let vhost: TestVhost;
  let stage: Stage;
  beforeEach(async () => {
    vhost = await createVhost('collector');
    stage = await setStage({ openMatches: 40, boards: 0, openStore, openBus: (clock) => vhost.openBus(clock) });
  });
  afterEach(async () => {
    await stage.close();
    await vhost.remove();
  });

  const requests = async () => (await stage.requests()).total;
  const state = (slot: number) => stage.store.slots.state(slot);

  /** Collects a slot in a child process, kills it after `death` requests and returns the state of the slot. */
  async function killedInMidSlot(slot: number, death: number): Promise<string | undefined> {
    const before = await requests();
    const options: TestCollectorOptions = {
      networkUrl: stage.url,
      databaseUrl: slots.url,
      busUrl: vhost.serviceUrl,
      nowMs: stage.clock.nowMs,
    };
    const child = spawn(process.execPath, [FIXTURE, JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(child, 'exit');
    try {
      const isFarEnough = async () => {
        expect((await requests()) - before).toBeGreaterThanOrEqual(death);
      };
      await eventually(isFarEnough, { everyMs: 5 });
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
    return state(slot);
  }

  it('publish each slot completely and once when a replica is killed during the slot', async () => {
    const left: (string | undefined)[] = [];
    for (const [index, death] of REQUESTS_BEFORE_KILL.entries()) {
      const slot = SLOT + index * 300;
      stage.clock.nowMs = (slot + 1) * 1000;
      left.push(await killedInMidSlot(slot, death));
      const others = await Promise.all([stage.collector(), stage.collector()]);
      const isPublished = async () => {
        await Promise.all(others.map((other) => other.tick()));
        expect(await state(slot)).toBe('published');
      };
      await eventually(isPublished);
      const truth = expectedObservation(stage.world, slot);
      const findMessages = () => stage.slots.filter(({ data }) => data.slot === truth.slot);
      await eventually(() => expect(findMessages().length).toBeGreaterThan(0));
      const once = { id: `slot.observed:simulated:${truth.slot}`, data: truth };
      expect(findMessages().map(({ id, data }) => ({ id, data: sorted(data) }))).toEqual(
        findMessages().map(() => once),
      );
      await Promise.all(others.map((other) => other.stop()));
    }
    expect(left.filter((was) => was === 'open').length).toBeGreaterThan(REQUESTS_BEFORE_KILL.length / 2);
    expect(await stage.store.slots.unsettled()).toEqual([]);
    expect(await stage.bus.depth('collector')).toBe(0);
    expect(await vhost.deadLetters()).toBe(0);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '@lobbystats/test-kit';
import { ownVhost, type OwnVhost } from '../../../test/stack/own-vhost.ts';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { openMongoCollectorStore } from '../src/adapters/mongo/open-mongo-collector-store.ts';
import type { CollectorOfATest } from './fixtures/collector.ts';
import { killedSlotContract } from './killed-slot.contract.ts';
import { mongoSlots } from './mongo-slots.ts';
import { setStage, SLOT, sorted, truthOf, type Stage } from './running-collector.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/collector.ts');
const LEASE_MS = 15_000;
/** How many requests the collector that is killed has made by then: the homepage is the first. */
const DEATHS = [1, 2, 4, 7, 10, 13];

let slots: PreparedMongo;
beforeAll(async () => {
  slots = await mongoSlots('test_killed_slots');
});
afterAll(() => slots.empty());
const openStore = async () => {
  await slots.empty();
  return openMongoCollectorStore(slots.url, 'simulated');
};

describe('a collector over MongoDB that is killed', () => {
  killedSlotContract(openStore);
});

describe('collectors over MongoDB and RabbitMQ', () => {
  let vhost: OwnVhost;
  let stage: Stage;
  beforeEach(async () => {
    vhost = await ownVhost('collector');
    stage = await setStage({ openMatches: 40, boards: 0, openStore, openBus: (clock) => vhost.open(clock) });
  });
  afterEach(async () => {
    await stage.close();
    await vhost.remove();
  });

  const requests = async () => (await stage.requests()).total;
  const state = (slot: number) => stage.store.slots.state(slot);

  /** Begins a slot in a process of its own, and kills that when it has made so many requests; what it has left. */
  async function killedInMidSlot(slot: number, death: number): Promise<string | undefined> {
    const before = await requests();
    const begunMs = performance.now();
    const given: CollectorOfATest = {
      networkUrl: stage.url,
      databaseUrl: slots.url,
      busUrl: vhost.serviceUrl,
      nowMs: stage.clock.nowMs,
    };
    const child = spawn(process.execPath, [FIXTURE, JSON.stringify(given)], { stdio: ['ignore', 'ignore', 'inherit'] });
    const ended = once(child, 'exit');
    try {
      const isFarEnough = async () => {
        expect((await requests()) - before).toBeGreaterThanOrEqual(death);
      };
      await eventually(isFarEnough, { timeoutMs: 20_000, everyMs: 5 });
    } finally {
      child.kill('SIGKILL');
      await ended;
      // Its clock went on, and so do its leases.
      stage.clock.nowMs += Math.ceil(performance.now() - begunMs) + LEASE_MS;
    }
    return state(slot);
  }

  it('have each slot whole, and say it once, though one of them is killed in the middle of it', async () => {
    const left: (string | undefined)[] = [];
    for (const [index, death] of DEATHS.entries()) {
      const slot = SLOT + index * 300;
      stage.clock.nowMs = (slot + 1) * 1000;
      left.push(await killedInMidSlot(slot, death));
      const others = await Promise.all([stage.collector(), stage.collector()]);
      const isPublished = async () => {
        await Promise.all(others.map((other) => other.tick()));
        expect(await state(slot)).toBe('published');
      };
      await eventually(isPublished, { timeoutMs: 20_000 });
      const truth = truthOf(stage.world, slot);
      const said = () => stage.slots.filter(({ data }) => data.slot === truth.slot);
      await eventually(() => expect(said().length).toBeGreaterThan(0));
      const once = { id: `slot.observed:simulated:${truth.slot}`, data: truth };
      expect(said().map(({ id, data }) => ({ id, data: sorted(data) }))).toEqual(said().map(() => once));
      await Promise.all(others.map((other) => other.stop()));
    }
    expect(left.filter((was) => was === 'open').length).toBeGreaterThan(DEATHS.length / 2);
    expect(await stage.store.slots.unsettled()).toEqual([]);
    expect(await stage.bus.depth('collector')).toBe(0);
    expect(await vhost.deadLetters()).toBe(0);
  }, 90_000);
});

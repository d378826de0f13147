import { hasCode } from '@lobbystats/contracts/errors';
import { provisionRabbitMq, type MessageBus } from '../../src/bus/index.ts';
import { Recorder, eventually } from './recorder.ts';
import { RabbitMqBroker } from '@lobbystats/test-kit/test-broker';
import { RabbitMqFixture } from './rabbitmq-fixture.ts';
import { factNumberOf, pageConsumer, publishFact, publishPage, QUEUE } from './samples.ts';

async function until(ask: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(ask, (answer) => answer);
}

/** Publishes numbered messages concurrently until it is stopped, and records which were confirmed. */
class PublishLoad {
  readonly confirmed = new Set<number>();
  rejected = 0;
  readonly #bus: MessageBus;
  readonly #loops: Promise<void>[];
  #next = 1;
  #stopped = false;

  constructor(bus: MessageBus) {
    this.#bus = bus;
    this.#loops = Array.from({ length: 8 }, () => this.#publish());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  async #publish(): Promise<void> {
    while (!this.#stopped) {
      const number = this.#next;
      this.#next += 1;
      try {
        await publishPage(this.#bus, number);
        this.confirmed.add(number);
      } catch (error) {
        if (!hasCode(error, 'unavailable')) throw error;
        this.rejected += 1;
      }
    }
  }
}

describe('the message bus with a failing RabbitMQ', () => {
  let broker: RabbitMqBroker;
  let fixture: RabbitMqFixture;
  beforeAll(async () => {
    broker = await RabbitMqBroker.start();
  });
  afterAll(() => broker.remove());
  beforeEach(async () => {
    fixture = await RabbitMqFixture.create(broker).catch(async (error: unknown) => {
      // RabbitMQ may come back from a kill without its supervisor of dead-letter workers, for good: only a restart helps.
      if (!String(error).includes('rabbit_fifo_dlx_sup')) throw error;
      await broker.restart();
      return RabbitMqFixture.create(broker);
    });
  });
  afterEach(() => fixture.remove());

  it.each<[string, (publishing: PublishLoad) => Promise<void>]>([
    ['is restarted', () => broker.restart()],
    ['is killed', () => broker.killAndStart()],
    [
      'is short of memory for a while',
      async (publishing) => {
        await broker.control('set_vm_memory_high_watermark', 'absolute', '1');
        await until(() => publishing.rejected > 0).finally(() => broker.control('set_vm_memory_high_watermark', '0.6'));
      },
    ],
  ])('loses no confirmed message and resumes when RabbitMQ %s', async (_what, disturb) => {
    const bus = await fixture.open();
    const handled = new Set<number>();
    const facts = new Recorder<number>();
    const resets = jest.fn();
    await bus.consume(pageConsumer((number) => handled.add(number)));
    await bus.readLog({
      from: 'start',
      onEntry: ({ message }) => facts.add(factNumberOf(message)),
      onReset: resets,
      onFault: (error) => facts.add(error as number),
    });
    await publishFact(bus, 1);
    await facts.waitForCount(1);
    const publishing = new PublishLoad(bus);
    await until(() => publishing.confirmed.size > 50);
    await disturb(publishing);
    const before = publishing.confirmed.size;
    await until(() => publishing.confirmed.size > before + 20);
    await publishing.stop();
    await until(() => [...publishing.confirmed].every((number) => handled.has(number)));
    await until(() =>
      publishFact(bus, 2).then(
        () => true,
        () => false,
      ),
    );
    expect((await facts.waitForCount(2)).slice(0, 2)).toEqual([1, 2]);
    expect(resets).not.toHaveBeenCalled();
    await bus.check();
  });

  it('publish fails as unavailable while RabbitMQ hangs, and recovers', async () => {
    const bus = await fixture.open();
    const handled = new Recorder<number>();
    await bus.consume(pageConsumer((number) => handled.add(number)));
    await publishPage(bus, 1);
    await handled.waitForCount(1);
    await broker.pause();
    try {
      await expect(publishPage(bus, 2)).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      await broker.unpause();
    }
    await until(() =>
      publishPage(bus, 3).then(
        () => true,
        () => false,
      ),
    );
    await until(() => handled.items.includes(3));
  });

  it('publish and check fail during a memory alarm while deliveries continue', async () => {
    const bus = await fixture.open();
    const handled = new Recorder<number>();
    await publishPage(bus, 1);
    await broker.control('set_vm_memory_high_watermark', 'absolute', '1');
    try {
      const published = Array.from({ length: 20 }, (_, number) => publishPage(bus, number + 10));
      const outcomes = await Promise.allSettled(published);
      expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
      await expect(bus.check()).rejects.toMatchObject({ code: 'unavailable' });
      await bus.consume(pageConsumer((number) => handled.add(number)));
      await handled.waitForCount(1);
    } finally {
      await broker.control('set_vm_memory_high_watermark', '0.6');
    }
    await until(() =>
      publishPage(bus, 2).then(
        () => true,
        () => false,
      ),
    );
    await until(() => handled.items.includes(2));
    await bus.check();
  });

  it('a consumer resumes after its queue is recreated, and check fails meanwhile', async () => {
    const bus = await fixture.open();
    const handled = new Recorder<number>();
    await bus.consume(pageConsumer((number) => handled.add(number)));
    await fixture.api.delete('queues', fixture.vhost, QUEUE);
    await until(() =>
      bus.check().then(
        () => false,
        () => true,
      ),
    );
    await expect(publishPage(bus, 1)).rejects.toMatchObject({ code: 'unavailable' });
    const { managementUrl } = broker;
    await provisionRabbitMq({ managementUrl, vhost: fixture.vhost, users: {}, log: () => undefined });
    await until(() =>
      bus.check().then(
        () => true,
        () => false,
      ),
    );
    await publishPage(bus, 2);
    await until(() => handled.items.includes(2));
  });

  it('a message that reaches the delivery limit becomes a dead letter', async () => {
    const bus = await fixture.open();
    await publishPage(bus, 7);
    const seen = new Recorder<number>();
    await fixture.exhaustDeliveries(QUEUE);
    await bus.consume(pageConsumer((number) => seen.add(number)));
    const office = await fixture.deadLetters();
    await until(async () => (await office.list()).length === 1);
    const [letter] = await office.list();
    expect(letter).toMatchObject({ queue: QUEUE, reason: expect.stringMatching(/reached the delivery limit/) });
    expect(await office.list({ ids: [letter!.id] })).toEqual([letter]);
    expect(await office.requeue({ ids: [letter!.id] })).toBe(1);
    expect(await seen.waitForCount(1)).toEqual([7]);
    await office.close();
  });
});

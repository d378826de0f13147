import { hasCode } from '@lobbystats/errors';
import { provisionRabbitMq, type MessageBus } from '@lobbystats/message-bus';
import { Collected, eventually } from './collected.ts';
import { RabbitMqBroker } from './rabbitmq-broker.ts';
import { RabbitMqPlace } from './rabbitmq-place.ts';
import { factNumberOf, pageConsumer, publishFact, publishPage, QUEUE } from './samples.ts';

const PATIENCE_MS = 40_000;

async function until(ask: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(ask, (answer) => answer, PATIENCE_MS);
}

/** Publishes numbered messages side by side, whatever happens, until it is stopped; knows which were confirmed. */
class Publishing {
  readonly confirmed = new Set<number>();
  refused = 0;
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
        this.refused += 1;
      }
    }
  }
}

describe('the message bus at a RabbitMQ that fails', () => {
  let broker: RabbitMqBroker;
  let place: RabbitMqPlace;
  beforeAll(async () => {
    broker = await RabbitMqBroker.start();
  }, 120_000);
  afterAll(() => broker.remove());
  beforeEach(async () => {
    place = await RabbitMqPlace.create(broker);
  }, 90_000);
  afterEach(() => place.remove());

  it.each<[string, (publishing: Publishing) => Promise<void>]>([
    ['is restarted', () => broker.restart()],
    ['is killed', () => broker.killAndStart()],
    [
      'is short of memory for a while',
      async (publishing) => {
        await broker.control('set_vm_memory_high_watermark', 'absolute', '1');
        await until(() => publishing.refused > 0).finally(() => broker.control('set_vm_memory_high_watermark', '0.6'));
      },
    ],
  ])(
    'loses nothing that was confirmed, and goes on within 10 s, when it %s',
    async (_what, disturb) => {
      const bus = await place.open();
      const handled = new Set<number>();
      const facts = new Collected<number>();
      const resets = jest.fn();
      await bus.consume(pageConsumer((number) => handled.add(number)));
      await bus.readLog({
        from: 'start',
        onEntry: ({ message }) => facts.add(factNumberOf(message)),
        onReset: resets,
        onFault: (error) => facts.add(error as number),
      });
      await publishFact(bus, 1);
      await facts.reaches(1);
      const publishing = new Publishing(bus);
      await until(() => publishing.confirmed.size > 50);
      await disturb(publishing);
      const upAt = performance.now();
      const before = publishing.confirmed.size;
      await until(() => publishing.confirmed.size > before + 20);
      expect(performance.now() - upAt).toBeLessThan(10_000);
      await publishing.stop();
      await until(() => [...publishing.confirmed].every((number) => handled.has(number)));
      await until(() =>
        publishFact(bus, 2).then(
          () => true,
          () => false,
        ),
      );
      expect((await facts.reaches(2)).slice(0, 2)).toEqual([1, 2]);
      expect(resets).not.toHaveBeenCalled();
      await bus.check();
    },
    120_000,
  );

  it('says in bounded time that it is away, and goes on, when it hangs', async () => {
    const bus = await place.open();
    const handled = new Collected<number>();
    await bus.consume(pageConsumer((number) => handled.add(number)));
    await publishPage(bus, 1);
    await handled.reaches(1);
    await broker.pause();
    try {
      const from = performance.now();
      await expect(publishPage(bus, 2)).rejects.toMatchObject({ code: 'unavailable' });
      expect(performance.now() - from).toBeLessThan(16_000);
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
  }, 120_000);

  it('holds publishers back while memory is short, says so, and still delivers', async () => {
    const bus = await place.open();
    const handled = new Collected<number>();
    await publishPage(bus, 1);
    await broker.control('set_vm_memory_high_watermark', 'absolute', '1');
    try {
      const from = performance.now();
      const published = Array.from({ length: 20 }, (_, number) => publishPage(bus, number + 10));
      const outcomes = await Promise.allSettled(published);
      expect(performance.now() - from).toBeLessThan(16_000);
      expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
      await expect(bus.check()).rejects.toMatchObject({ code: 'unavailable' });
      await bus.consume(pageConsumer((number) => handled.add(number)));
      await handled.reaches(1);
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
  }, 120_000);

  it('consumes again when its queue was gone and is back, and says meanwhile that it does not', async () => {
    const bus = await place.open();
    const handled = new Collected<number>();
    await bus.consume(pageConsumer((number) => handled.add(number)));
    await place.api.delete('queues', place.vhost, QUEUE);
    await until(() =>
      bus.check().then(
        () => false,
        () => true,
      ),
    );
    await expect(publishPage(bus, 1)).rejects.toMatchObject({ code: 'unavailable' });
    const { managementUrl } = broker;
    await provisionRabbitMq({ managementUrl, vhost: place.vhost, users: {}, log: () => undefined });
    await until(() =>
      bus.check().then(
        () => true,
        () => false,
      ),
    );
    await publishPage(bus, 2);
    await until(() => handled.items.includes(2));
  }, 60_000);

  it('makes a dead letter of what is handed over again and again without an answer', async () => {
    const bus = await place.open();
    await publishPage(bus, 7);
    const seen = new Collected<number>();
    await place.handOverInVain(QUEUE);
    await bus.consume(pageConsumer((number) => seen.add(number)));
    const office = await place.deadLetters();
    await until(async () => (await office.list()).length === 1);
    const [letter] = await office.list();
    expect(letter).toMatchObject({ queue: QUEUE, reason: expect.stringMatching(/again and again without an answer/) });
    expect(await office.list({ ids: [letter!.id] })).toEqual([letter]);
    expect(await office.requeue({ ids: [letter!.id] })).toBe(1);
    expect(await seen.reaches(1)).toEqual([7]);
    await office.close();
  }, 60_000);
});

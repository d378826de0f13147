import { openBus } from '../../src/bus/index.ts';
import { testServers } from '@lobbystats/test-kit';
import { startTcpProxy } from '@lobbystats/test-kit/tcp-proxy';
import { eventually, Recorder } from './recorder.ts';
import { RabbitMqFixture } from './rabbitmq-fixture.ts';
import { ORIGIN, pageConsumer, publishPage } from './samples.ts';

describe('the message bus on a connection that fails', () => {
  let fixture: RabbitMqFixture;
  beforeAll(async () => {
    fixture = await RabbitMqFixture.create();
  });
  afterAll(() => fixture.remove());

  async function start() {
    const { username, password, port } = new URL(testServers().rabbitmq.url);
    const proxy = await startTcpProxy(Number(port));
    const bus = await openBus({
      url: `amqp://${username}:${password}@127.0.0.1:${proxy.port}/${fixture.vhost}?heartbeat=1`,
      origin: ORIGIN,
    });
    const handled = new Recorder<number>();
    await bus.consume(pageConsumer((number) => handled.add(number)));
    let next = 0;
    /** Publishes until a new message has been handled. */
    const expectDelivery = async (): Promise<void> => {
      next += 1;
      const number = next;
      const publish = () =>
        publishPage(bus, number).then(
          () => true,
          () => false,
        );
      await eventually(publish, (isPublished) => isPublished);
      await eventually(
        () => handled.items.includes(number),
        (isHandled) => isHandled,
      );
    };
    const close = async (): Promise<void> => {
      await bus.close();
      await proxy.close();
    };
    return { bus, proxy, expectDelivery, close };
  }

  it.each(['refuses connections', 'is silent'] as const)(
    'notices that RabbitMQ %s, and publishes and consumes again afterwards',
    async (what) => {
      const { bus, proxy, expectDelivery, close } = await start();
      await expectDelivery();
      if (what === 'is silent') proxy.stall();
      else await proxy.disconnect();
      await eventually(
        () =>
          bus.check().then(
            () => false,
            () => true,
          ),
        (isFailing) => isFailing,
      );
      await proxy.restore();
      await expectDelivery();
      await close();
    },
  );
});

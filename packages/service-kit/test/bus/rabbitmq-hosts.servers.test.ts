import { openBus } from '../../src/bus/index.ts';
import { testServers } from '@lobbystats/test-kit';
import { startTcpProxy } from '@lobbystats/test-kit/tcp-proxy';
import { eventually, Recorder } from './recorder.ts';
import { RabbitMqFixture } from './rabbitmq-fixture.ts';
import { ORIGIN, pageConsumer, publishPage } from './samples.ts';

describe('the message bus at a URL with several hosts', () => {
  let fixture: RabbitMqFixture;
  beforeAll(async () => {
    fixture = await RabbitMqFixture.create();
  });
  afterAll(() => fixture.remove());

  async function start() {
    const { username, password, port } = new URL(testServers().rabbitmq.url);
    const hosts = await Promise.all([startTcpProxy(Number(port)), startTcpProxy(Number(port))]);
    const list = hosts.map((host) => `127.0.0.1:${host.port}`).join(',');
    const bus = await openBus({
      url: `amqp://${username}:${password}@${list}/${fixture.vhost}?heartbeat=1`,
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
      await Promise.all(hosts.map((host) => host.close()));
    };
    return { hosts, expectDelivery, close };
  }

  it.each(['refuses connections', 'is silent'] as const)(
    'publishes and consumes over the other host while one %s',
    async (what) => {
      const { hosts, expectDelivery, close } = await start();
      await expectDelivery();
      for (const host of hosts) {
        if (what === 'is silent') host.stall();
        else await host.disconnect();
        await expectDelivery();
        await host.restore();
        await expectDelivery();
      }
      await close();
    },
    120_000,
  );
});

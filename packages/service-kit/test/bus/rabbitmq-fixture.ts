import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@lobbystats/contracts';
import { openBus, openDeadLetterStore, provisionRabbitMq, type MessageBus } from '../../src/bus/index.ts';
import { testServers } from '@lobbystats/test-kit';
import { removeVhost } from '@lobbystats/test-kit/test-vhost';
import { connect } from 'amqplib';
import { ManagementApi } from '../../src/bus/rabbitmq/management-api.ts';
import { IMMEDIATE_KEY, LOG, retryExchange } from '../../src/bus/rabbitmq/topology.ts';
import type { BusFixture, FixtureOptions } from './bus-fixture.ts';
import { ORIGIN } from './samples.ts';

/** A temporary vhost on a RabbitMQ, accessed with all permissions. */
export class RabbitMqFixture implements BusFixture {
  readonly url: string;
  readonly liveFirst = 'most';
  readonly vhost: string;
  readonly api: ManagementApi;
  readonly #managementUrl: string;
  readonly #open: MessageBus[] = [];

  private constructor(vhost: string, url: string, managementUrl: string) {
    this.vhost = vhost;
    this.url = `${url}/${vhost}`;
    this.api = new ManagementApi({ url: managementUrl });
    this.#managementUrl = managementUrl;
  }

  /**
   * @param server default: the server of the test run
   * @param smallLog policy above the log's own that reduces the retention of the log
   */
  static async create(
    { url, managementUrl }: { url: string; managementUrl: string } = testServers().rabbitmq,
    smallLog?: Readonly<Record<string, number>>,
  ): Promise<RabbitMqFixture> {
    const fixture = new RabbitMqFixture(`message-bus-${randomUUID()}`, url, managementUrl);
    if (smallLog !== undefined) {
      await fixture.api.put({}, 'vhosts', fixture.vhost);
      const policy = { pattern: `^${LOG}$`, definition: smallLog, priority: 1000 };
      await fixture.api.put(policy, 'policies', fixture.vhost, 'small-log');
    }
    await provisionRabbitMq({ managementUrl, vhost: fixture.vhost, users: {}, log: () => undefined });
    return fixture;
  }

  async open({ hooks = {}, clock = Date.now }: FixtureOptions = {}): Promise<MessageBus> {
    const bus = await openBus({ url: this.url, origin: ORIGIN, hooks, clock });
    this.#open.push(bus);
    return bus;
  }

  async publishRaw(queue: ServiceName, body: string): Promise<void> {
    const model = await connect(this.url);
    const channel = await model.createConfirmChannel();
    channel.publish(retryExchange(queue), IMMEDIATE_KEY, Buffer.from(body), { persistent: true });
    await channel.waitForConfirms();
    await model.close();
  }

  /** Takes and returns all messages of a queue until they reach the delivery limit. */
  async exhaustDeliveries(queue: ServiceName): Promise<void> {
    const model = await connect(this.url);
    const channel = await model.createChannel();
    for (let message = await channel.get(queue); message !== false; message = await channel.get(queue)) {
      channel.reject(message, true);
      await channel.checkQueue(queue);
    }
    await model.close();
  }

  deadLetters() {
    return openDeadLetterStore({ url: this.url });
  }

  async remove(): Promise<void> {
    await Promise.all(this.#open.map((bus) => bus.close()));
    await removeVhost(this.vhost, this.#managementUrl);
  }
}

import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@lobbystats/contracts';
import { openBus, openDeadLetters, provisionRabbitMq, type MessageBus } from '@lobbystats/message-bus';
import { testServers } from '@lobbystats/test-kit';
import { connect } from 'amqplib';
import { ManagementApi } from '../src/rabbitmq/management-api.ts';
import { AT_ONCE, LOG, retryExchange } from '../src/rabbitmq/topology.ts';
import type { BusPlace, PlaceOptions } from './bus-place.ts';
import { ORIGIN } from './samples.ts';

/** A vhost of its own on a RabbitMQ, seen with all rights. */
export class RabbitMqPlace implements BusPlace {
  readonly url: string;
  readonly liveFirst = 'most';
  readonly vhost: string;
  readonly api: ManagementApi;
  readonly #open: MessageBus[] = [];

  private constructor(vhost: string, url: string, managementUrl: string) {
    this.vhost = vhost;
    this.url = `${url}/${vhost}`;
    this.api = new ManagementApi({ url: managementUrl });
  }

  /**
   * @param server default: the one of the run
   * @param smallLog the log's bounds as a policy has them, where they are to be smaller
   */
  static async create(
    { url, managementUrl }: { url: string; managementUrl: string } = testServers().rabbitmq,
    smallLog?: Readonly<Record<string, number>>,
  ): Promise<RabbitMqPlace> {
    const place = new RabbitMqPlace(`message-bus-${randomUUID()}`, url, managementUrl);
    if (smallLog !== undefined) {
      await place.api.put({}, 'vhosts', place.vhost);
      const policy = { pattern: `^${LOG}$`, definition: smallLog, 'apply-to': 'streams' };
      await place.api.put(policy, 'policies', place.vhost, 'small-log');
    }
    await provisionRabbitMq({ managementUrl, vhost: place.vhost, users: {}, log: () => undefined });
    return place;
  }

  async open({ hooks = {}, clock = Date.now }: PlaceOptions = {}): Promise<MessageBus> {
    const bus = await openBus({ url: this.url, origin: ORIGIN, hooks, clock });
    this.#open.push(bus);
    return bus;
  }

  async publishRaw(queue: ServiceName, body: string): Promise<void> {
    const message = { properties: { delivery_mode: 2 }, routing_key: AT_ONCE, payload_encoding: 'string' };
    await this.api.post({ ...message, payload: body }, 'exchanges', this.vhost, retryExchange(queue), 'publish');
  }

  /** Takes what is in a queue and gives it back, as often as the broker lets it. */
  async handOverInVain(queue: ServiceName): Promise<void> {
    const model = await connect(this.url);
    const channel = await model.createChannel();
    for (let message = await channel.get(queue); message !== false; message = await channel.get(queue)) {
      channel.reject(message, true);
      await channel.checkQueue(queue);
    }
    await model.close();
  }

  deadLetters() {
    return openDeadLetters({ url: this.url });
  }

  async remove(): Promise<void> {
    await Promise.all(this.#open.map((bus) => bus.close()));
    await this.api.delete('vhosts', this.vhost);
  }
}

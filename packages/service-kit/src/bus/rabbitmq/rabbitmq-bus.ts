import type { ServiceName } from '@lobbystats/contracts';
import { AppError, messageOf } from '@lobbystats/contracts/errors';
import { BusBase, type BusContext } from '../bus-base.ts';
import { resolveConsumerSettings } from '../consumer-settings.ts';
import type { EncodedMessage } from '../encode-message.ts';
import { toLogPosition } from '../log-position.ts';
import type { Consumer, LogPosition, LogReader, MessageBus, Subscription } from '../message-bus.ts';
import { writeHeaders } from './message-headers.ts';
import { propertiesOf } from './message-properties.ts';
import { withChannel } from './channels.ts';
import type { BrokerConnection } from './connect.ts';
import { readBounds } from './stream-bounds.ts';
import { StreamLogReader } from './stream-log-reader.ts';
import type { Publisher } from './publisher.ts';
import { QueueConsumer } from './queue-consumer.ts';
import type { Replica } from '../replicas.ts';
import { ReplicaGroup } from './replica-group.ts';
import { queuedServices, RETRY_DELAYS_MS, retryExchange, retryQueue } from './topology.ts';

interface RabbitMqBusOptions extends BusContext {
  /** Separate connections: under a memory alarm the broker stops reading from publishers, acknowledgements included. */
  readonly publishing: BrokerConnection;
  readonly consuming: BrokerConnection;
  readonly publisher: Publisher;
  /** A connection of its own: its loss is that of the leadership. */
  readonly connectReplica: () => Promise<BrokerConnection>;
  readonly service: ServiceName | undefined;
}

const ATTACH_TIMEOUT_MS = 5000;

export class RabbitMqBus extends BusBase implements MessageBus {
  readonly #options: RabbitMqBusOptions;
  readonly #consumers = new Set<QueueConsumer>();

  constructor(options: RabbitMqBusOptions) {
    super(options);
    this.#options = options;
  }

  async consume(consumer: Consumer): Promise<Subscription> {
    this.assertOpen();
    const { consuming, publisher } = this.#options;
    const settings = resolveConsumerSettings(consumer);
    const started = new QueueConsumer({ connection: consuming, publisher, settings, ...this.context });
    this.#consumers.add(started);
    const running = this.track(async () => {
      await started.stop();
      this.#consumers.delete(started);
    });
    await started.waitUntilAttached(ATTACH_TIMEOUT_MS);
    return running;
  }

  async readLog(reader: LogReader): Promise<Subscription> {
    this.assertOpen();
    const from = reader.from === 'end' ? await this.logEnd() : reader.from;
    const connection = this.#options.consuming;
    const reading = new StreamLogReader({ connection, reader: { ...reader, from }, ...this.context });
    return this.track(() => reading.stop());
  }

  async join(replica: Replica): Promise<Subscription> {
    this.assertOpen();
    const connection = await this.#options.connectReplica();
    const group = new ReplicaGroup(connection, this.#options.service ?? 'collector', replica);
    return this.track(async () => {
      await group.stop();
      await connection.close();
    });
  }

  async logEnd(): Promise<LogPosition> {
    const { logId, newest } = await readBounds(this.#options.consuming).catch(unavailable);
    return toLogPosition(logId, newest);
  }

  async depth(queue: ServiceName): Promise<number> {
    if (!queuedServices.includes(queue)) return 0;
    const waiting = await withChannel(this.#options.consuming, async (channel) => {
      let sum = 0;
      for (const name of [queue, ...RETRY_DELAYS_MS.map((ms) => retryQueue(queue, ms))]) {
        sum += (await channel.checkQueue(name)).messageCount;
      }
      return sum;
    }).catch(unavailable);
    return [...this.#consumers]
      .filter((consumer) => consumer.queue === queue)
      .reduce((sum, { inFlight }) => sum + inFlight, waiting);
  }

  async check(): Promise<void> {
    this.assertOpen();
    const { publishing, publisher, service } = this.#options;
    if (publishing.failure !== undefined)
      throw new AppError('unavailable', 'RabbitMQ is away', { cause: publishing.failure });
    if (publishing.isBlocked) throw new AppError('unavailable', 'RabbitMQ is short of memory or disk');
    const lost = [...this.#consumers].find(({ isAttached }) => !isAttached);
    if (lost !== undefined)
      throw new AppError('unavailable', `RabbitMQ does not deliver from ${lost.queue}`, { cause: lost.failure });
    // Only publishers see a broker's alarm.
    if (service === undefined || !queuedServices.includes(service)) return;
    const probe = { exchange: retryExchange(service), routingKey: 'probe', body: Buffer.alloc(0), properties: {} };
    await publisher.publish({ ...probe, allowUnroutable: true });
  }

  protected async send({ type, id, body, isLowPriority, expiresAtMs }: EncodedMessage): Promise<void> {
    await this.#options.publisher.publish({
      exchange: type.exchange,
      routingKey: type.key,
      body: Buffer.from(body),
      properties: {
        ...propertiesOf(type, { id, isLowPriority, nowMs: this.context.clock() }),
        headers: writeHeaders({ attempt: 1, expiresAtMs }),
      },
    });
  }

  protected async shutDown(): Promise<void> {
    const { publishing, consuming, publisher } = this.#options;
    await publisher.close();
    await Promise.all([publishing.close(), consuming.close()]);
  }
}

function unavailable(error: unknown): never {
  throw new AppError('unavailable', 'The message bus is not available', {
    cause: new Error(messageOf(error), { cause: error }),
  });
}

import type { MessageType, ServiceName } from '@lobbystats/contracts';
import { AppError, messageOf } from '@lobbystats/errors';
import type { ChannelModel } from 'amqplib';
import type { z } from 'zod';
import type { BusHooks } from '../bus-hooks.ts';
import { resolveConsumerSettings } from '../consumer-settings.ts';
import { encodeMessage, createEnvelope } from '../encode-message.ts';
import { withPublishSpan } from '../with-publish-span.ts';
import { toLogPosition } from '../log-position.ts';
import type { Consumer, LogPosition, LogReader, MessageBus, PublishOptions, Subscription } from '../message-bus.ts';
import { SubscriptionSet } from '../subscription-set.ts';
import { isLowPriority } from '../is-low-priority.ts';
import { DeadLetterIdGenerator } from './dead-letter-headers.ts';
import { withChannel } from './reconnecting-channel.ts';
import type { Reconnecting } from './reconnecting.ts';
import { readBounds } from './stream-bounds.ts';
import { StreamLogReader } from './stream-log-reader.ts';
import { writeHeaders } from './message-headers.ts';
import type { Publisher } from './publisher.ts';
import { QueueConsumer } from './queue-consumer.ts';
import { PRIORITY, queuedServices, RETRY_DELAYS_MS, retryExchange, retryQueue } from './topology.ts';

export interface RabbitMqBusOptions {
  /** Separate connections: under a memory alarm the broker stops reading from publishers, acknowledgements included. */
  readonly publishing: Reconnecting<ChannelModel>;
  readonly consuming: Reconnecting<ChannelModel>;
  readonly publisher: Publisher;
  readonly origin: string;
  readonly hooks: BusHooks;
  readonly clock: () => number;
  readonly service: ServiceName | undefined;
}

const CONNECT_TIMEOUT_MS = 5000;

export class RabbitMqBus implements MessageBus {
  readonly origin: string;
  readonly #options: RabbitMqBusOptions;
  readonly #consumers = new Set<QueueConsumer>();
  readonly #subscriptions = new SubscriptionSet();
  readonly #ids = new DeadLetterIdGenerator();
  #closing: Promise<void> | undefined;

  constructor(options: RabbitMqBusOptions) {
    this.#options = options;
    this.origin = options.origin;
  }

  async publish<Data extends z.ZodType>(
    type: MessageType<Data>,
    data: z.input<Data>,
    options: PublishOptions = {},
  ): Promise<void> {
    const { origin, hooks, clock, publisher } = this.#options;
    await withPublishSpan(hooks, type, async (traceparent) => {
      const message = createEnvelope(type, data, options, { origin, clock, traceparent });
      await publisher.publish({
        exchange: type.exchange,
        routingKey: type.key,
        body: Buffer.from(encodeMessage(message)),
        properties: {
          headers: writeHeaders({ attempt: 1, remainingMs: 0, expiresAtMs: options.expiresAtMs }),
          priority: isLowPriority(type, message) ? PRIORITY.past : PRIORITY.live,
          messageId: message.id,
        },
      });
    });
    hooks.event('published', { type: type.key, count: 1 });
  }

  async consume(consumer: Consumer): Promise<Subscription> {
    this.#assertOpen();
    const { consuming, publisher, origin, hooks, clock } = this.#options;
    const settings = resolveConsumerSettings(consumer);
    const started = new QueueConsumer({
      connection: consuming,
      publisher,
      settings,
      origin,
      hooks,
      clock,
      ids: this.#ids,
    });
    this.#consumers.add(started);
    const running = this.#subscriptions.track(async () => {
      await started.stop();
      this.#consumers.delete(started);
    });
    await started.waitUntilAttached(CONNECT_TIMEOUT_MS);
    return running;
  }

  async readLog(reader: LogReader): Promise<Subscription> {
    this.#assertOpen();
    const { consuming, origin, hooks } = this.#options;
    const from = reader.from === 'end' ? await this.logEnd() : reader.from;
    const reading = new StreamLogReader({ connection: consuming, reader: { ...reader, from }, origin, hooks });
    return this.#subscriptions.track(() => reading.stop());
  }

  async logEnd(): Promise<LogPosition> {
    const model = await this.#options.consuming.waitUntilOpen(CONNECT_TIMEOUT_MS);
    const { logId, newest } = await readBounds(model).catch(unavailable);
    return toLogPosition(logId, newest);
  }

  async depth(queue: ServiceName): Promise<number> {
    if (!queuedServices.includes(queue)) return 0;
    const model = await this.#options.consuming.waitUntilOpen(CONNECT_TIMEOUT_MS);
    const waiting = await withChannel(model, async (channel) => {
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
    this.#assertOpen();
    const { publishing, publisher, service } = this.#options;
    if (publishing.current === undefined)
      throw new AppError('unavailable', 'RabbitMQ is away', { cause: publishing.failure });
    if (publisher.isBlocked) throw new AppError('unavailable', 'RabbitMQ is short of memory or disk');
    const lost = [...this.#consumers].find(({ isAttached }) => !isAttached);
    if (lost !== undefined)
      throw new AppError('unavailable', `RabbitMQ does not deliver from ${lost.queue}`, { cause: lost.failure });
    // Only publishers see a broker's alarm.
    if (service === undefined || !queuedServices.includes(service)) return;
    const probe = { exchange: retryExchange(service), routingKey: 'probe', body: Buffer.alloc(0), properties: {} };
    await publisher.publish({ ...probe, allowUnroutable: true });
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    const { publishing, consuming, publisher } = this.#options;
    await this.#subscriptions.stop();
    await publisher.close();
    await Promise.all([publishing.close(), consuming.close()]);
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new AppError('unavailable', 'The bus is closed');
  }
}

function unavailable(error: unknown): never {
  throw new AppError('unavailable', 'The message bus is not available', {
    cause: new Error(messageOf(error), { cause: error }),
  });
}

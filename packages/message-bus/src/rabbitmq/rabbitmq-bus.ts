import type { MessageType, ServiceName } from '@lobbystats/contracts';
import { AppError, messageOf } from '@lobbystats/errors';
import type { ChannelModel } from 'amqplib';
import type { z } from 'zod';
import type { BusHooks } from '../bus-hooks.ts';
import { consumerSettings } from '../consumer-settings.ts';
import { encodeMessage, envelopeOf } from '../encode-message.ts';
import { inPublishingSpan } from '../in-publishing-span.ts';
import { logPosition } from '../log-position.ts';
import type { Consumer, LogPosition, LogReader, MessageBus, PublishOptions, Running } from '../message-bus.ts';
import { RunningSet } from '../running-set.ts';
import { yields } from '../yields.ts';
import { DeadLetterIds } from './dead-letter-headers.ts';
import { onChannel } from './keep-channel.ts';
import type { Kept } from './kept.ts';
import { readBounds } from './log-bounds.ts';
import { LogReading } from './log-reading.ts';
import { writeHeaders } from './message-headers.ts';
import type { Publisher } from './publisher.ts';
import { QueueConsumer } from './queue-consumer.ts';
import { PRIORITY, queuedServices, RETRY_LADDER_MS, retryExchange, retryQueue } from './topology.ts';

export interface RabbitMqBusOptions {
  /** Separate connections: under a memory alarm the broker stops reading from publishers, acknowledgements included. */
  readonly publishing: Kept<ChannelModel>;
  readonly consuming: Kept<ChannelModel>;
  readonly publisher: Publisher;
  readonly origin: string;
  readonly hooks: BusHooks;
  readonly clock: () => number;
  readonly service: ServiceName | undefined;
}

const CONNECTED_WITHIN_MS = 5000;

export class RabbitMqBus implements MessageBus {
  readonly origin: string;
  readonly #options: RabbitMqBusOptions;
  readonly #consumers = new Set<QueueConsumer>();
  readonly #running = new RunningSet();
  readonly #ids = new DeadLetterIds();
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
    await inPublishingSpan(hooks, type, async (traceparent) => {
      const message = envelopeOf(type, data, options, { origin, clock, traceparent });
      await publisher.publish({
        exchange: type.exchange,
        routingKey: type.key,
        body: Buffer.from(encodeMessage(message)),
        properties: {
          headers: writeHeaders({ attempt: 1, remainingMs: 0, expiresAtMs: options.expiresAtMs }),
          priority: yields(type, message) ? PRIORITY.past : PRIORITY.live,
          messageId: message.id,
        },
      });
    });
    hooks.event('published', { type: type.key, count: 1 });
  }

  async consume(consumer: Consumer): Promise<Running> {
    this.#expectOpen();
    const { consuming, publisher, origin, hooks, clock } = this.#options;
    const settings = consumerSettings(consumer);
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
    const running = this.#running.track(async () => {
      await started.stop();
      this.#consumers.delete(started);
    });
    await started.attached(CONNECTED_WITHIN_MS);
    return running;
  }

  async readLog(reader: LogReader): Promise<Running> {
    this.#expectOpen();
    const { consuming, origin, hooks } = this.#options;
    const from = reader.from === 'end' ? await this.logEnd() : reader.from;
    const reading = new LogReading({ connection: consuming, reader: { ...reader, from }, origin, hooks });
    return this.#running.track(() => reading.stop());
  }

  async logEnd(): Promise<LogPosition> {
    const model = await this.#options.consuming.within(CONNECTED_WITHIN_MS);
    const { logId, newest } = await readBounds(model).catch(unavailable);
    return logPosition(logId, newest);
  }

  async depth(queue: ServiceName): Promise<number> {
    if (!queuedServices.includes(queue)) return 0;
    const model = await this.#options.consuming.within(CONNECTED_WITHIN_MS);
    const waiting = await onChannel(model, async (channel) => {
      let sum = 0;
      for (const name of [queue, ...RETRY_LADDER_MS.map((ms) => retryQueue(queue, ms))]) {
        sum += (await channel.checkQueue(name)).messageCount;
      }
      return sum;
    }).catch(unavailable);
    return [...this.#consumers]
      .filter((consumer) => consumer.queue === queue)
      .reduce((sum, { inHand }) => sum + inHand, waiting);
  }

  async check(): Promise<void> {
    this.#expectOpen();
    const { publishing, publisher, service } = this.#options;
    if (publishing.current === undefined)
      throw new AppError('unavailable', 'RabbitMQ is away', { cause: publishing.failure });
    if (publisher.blocked) throw new AppError('unavailable', 'RabbitMQ is short of memory or disk');
    const lost = [...this.#consumers].find(({ isAttached }) => !isAttached);
    if (lost !== undefined)
      throw new AppError('unavailable', `RabbitMQ does not deliver from ${lost.queue}`, { cause: lost.failure });
    // Only publishers see a broker's alarm.
    if (service === undefined || !queuedServices.includes(service)) return;
    const probe = { exchange: retryExchange(service), routingKey: 'probe', body: Buffer.alloc(0), properties: {} };
    await publisher.publish({ ...probe, unroutable: true });
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    const { publishing, consuming, publisher } = this.#options;
    await this.#running.stop();
    await publisher.close();
    await Promise.all([publishing.close(), consuming.close()]);
  }

  #expectOpen(): void {
    if (this.#closing !== undefined) throw new AppError('unavailable', 'The bus is closed');
  }
}

function unavailable(error: unknown): never {
  throw new AppError('unavailable', 'The message bus is not available', {
    cause: new Error(messageOf(error), { cause: error }),
  });
}

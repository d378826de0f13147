import { resolveWithin } from '../../concurrency/index.ts';
import { MAX_IN_FLIGHT_BYTES, Dispatcher } from '../dispatcher.ts';
import type { ServiceName } from '@lobbystats/contracts';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { BusContext } from '../bus-base.ts';
import type { ConsumerSettings } from '../consumer-settings.ts';
import { ConsumerSession } from './channels.ts';
import type { BrokerConnection } from './connect.ts';
import { Reconnecting } from './reconnecting.ts';
import type { Publisher } from './publisher.ts';
import { Settlement } from './settlement.ts';
import { PRIORITY } from './topology.ts';
import { ByteSemaphore } from './byte-semaphore.ts';

const CANCEL_TIMEOUT_MS = 3000;

interface QueueConsumerOptions extends BusContext {
  readonly connection: BrokerConnection;
  readonly publisher: Publisher;
  readonly settings: ConsumerSettings;
}

const MAX_PREFETCH = 65_535;

export class QueueConsumer {
  readonly queue: ServiceName;
  readonly #prefetch: number;
  readonly #dispatcher: Dispatcher;
  readonly #settlement: Settlement;
  readonly #byteLimit = new ByteSemaphore(MAX_IN_FLIGHT_BYTES);
  readonly #channel: Reconnecting<Channel>;
  #session: ConsumerSession | undefined;
  #consumerTag = '';

  constructor({ connection, publisher, settings, ...context }: QueueConsumerOptions) {
    this.queue = settings.queue;
    this.#prefetch = Math.min(settings.prefetch, MAX_PREFETCH);
    this.#dispatcher = new Dispatcher({ settings, ...context });
    this.#settlement = new Settlement({ queue: settings.queue, publisher, clock: context.clock });
    this.#channel = new Reconnecting(
      () => connection.createChannel(),
      (channel) => this.#setUp(channel),
    );
  }

  get isAttached(): boolean {
    return this.#channel.current !== undefined;
  }

  get failure(): unknown {
    return this.#channel.failure;
  }

  get inFlight(): number {
    return this.#session?.inFlight ?? 0;
  }

  async waitUntilAttached(ms: number): Promise<void> {
    await resolveWithin(
      this.#channel.opened.catch(() => undefined),
      ms,
    );
  }

  /** Settles running messages and returns the rest. */
  async stop(): Promise<void> {
    const channel = this.#channel.current;
    // From here on no handler is started.
    const dispatched = this.#dispatcher.stop();
    // A hung broker must not block the stop.
    const cancelled = channel?.cancel(this.#consumerTag).catch(() => undefined);
    await resolveWithin(Promise.resolve(cancelled), CANCEL_TIMEOUT_MS);
    await dispatched;
    await this.#settlement.stop();
    await this.#channel.close();
  }

  async #setUp(channel: Channel): Promise<void> {
    const session = new ConsumerSession(channel);
    this.#session = session;
    await channel.prefetch(this.#prefetch);
    this.#consumerTag = await session.consume(this.queue, (message) => this.#onMessage(message, session));
  }

  #onMessage(message: ConsumeMessage, session: ConsumerSession): void {
    const { length } = message.content;
    this.#byteLimit.acquire(length, message.properties.priority === PRIORITY.live, () => {
      const leave = () => this.#byteLimit.release(length);
      // The broker redelivers the messages of a lost channel.
      if (session.isOpen) this.#dispatcher.deliver(this.#settlement.toDelivery(message, session, leave));
      else leave();
    });
  }
}

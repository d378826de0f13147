import type { ServiceName } from '@lobbystats/contracts';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { BodyGate } from '../body-gate.ts';
import type { BusHooks } from '../bus-hooks.ts';
import type { ConsumerSettings } from '../consumer-settings.ts';
import type { Delivery } from '../delivery.ts';
import { Dispatcher } from '../dispatcher.ts';
import { ConsumerSession } from './consumer-session.ts';
import type { DeadLetterIds } from './dead-letter-headers.ts';
import { keepChannel } from './keep-channel.ts';
import { pause, type Kept } from './kept.ts';
import { readHeaders } from './message-headers.ts';
import type { Publisher } from './publisher.ts';
import { Settlement } from './settlement.ts';
import { PRIORITY } from './topology.ts';

const CANCELLED_WITHIN_MS = 3000;

export interface QueueConsumerOptions {
  readonly connection: Kept<ChannelModel>;
  readonly publisher: Publisher;
  readonly settings: ConsumerSettings;
  readonly origin: string;
  readonly hooks: BusHooks;
  readonly clock: () => number;
  readonly ids: DeadLetterIds;
}

const LARGEST_PREFETCH = 65_535;

export class QueueConsumer {
  readonly queue: ServiceName;
  readonly #prefetch: number;
  readonly #dispatcher: Dispatcher;
  readonly #settlement: Settlement;
  readonly #gate = new BodyGate();
  readonly #channel: Kept<Channel>;
  #session: ConsumerSession | undefined;
  #tag = '';

  constructor({ connection, publisher, settings, origin, hooks, clock, ids }: QueueConsumerOptions) {
    this.queue = settings.queue;
    this.#prefetch = Math.min(settings.prefetch, LARGEST_PREFETCH);
    this.#dispatcher = new Dispatcher({ settings, origin, hooks, clock });
    this.#settlement = new Settlement({ queue: settings.queue, publisher, ids, clock });
    this.#channel = keepChannel(connection, (channel) => this.#setUp(channel));
  }

  get isAttached(): boolean {
    return this.#channel.current !== undefined;
  }

  get failure(): unknown {
    return this.#channel.failure;
  }

  get inHand(): number {
    return this.#session?.inHand ?? 0;
  }

  async attached(ms: number): Promise<void> {
    await this.#channel.within(ms).catch(() => undefined);
  }

  /** Settles running messages and returns the rest. */
  async stop(): Promise<void> {
    const channel = this.#channel.current;
    // Starts nothing new from here on.
    const dispatched = this.#dispatcher.stop();
    // A hung broker must not block the stop.
    await Promise.race([channel?.cancel(this.#tag).catch(() => undefined), pause(CANCELLED_WITHIN_MS)]);
    await dispatched;
    await this.#settlement.stop();
    await this.#channel.close();
  }

  async #setUp(channel: Channel): Promise<void> {
    const session = new ConsumerSession(channel);
    this.#session = session;
    await channel.prefetch(this.#prefetch);
    const { consumerTag } = await channel.consume(this.queue, (message) => {
      if (message === null) session.abandon();
      else this.#take(message, session);
    });
    this.#tag = consumerTag;
  }

  #take(message: ConsumeMessage, session: ConsumerSession): void {
    session.took();
    const { remainingMs, attempt } = readHeaders(message.properties);
    if (remainingMs > 0) this.#settlement.wait(message, session, remainingMs, attempt);
    else this.#admit(message, session);
  }

  #admit(message: ConsumeMessage, session: ConsumerSession): void {
    const { length } = message.content;
    this.#gate.enter(length, message.properties.priority === PRIORITY.live, () => {
      const leave = () => this.#gate.leave(length);
      // Deliveries of a lost channel come again.
      if (session.isOpen) this.#dispatcher.deliver(withEnd(this.#settlement.deliveryOf(message, session), leave));
      else leave();
    });
  }
}

function withEnd(delivery: Delivery, end: () => void): Delivery {
  return {
    ...delivery,
    ack: () => {
      delivery.ack();
      end();
    },
    retry: (delayMs) => {
      delivery.retry(delayMs);
      end();
    },
    dead: (reason) => {
      delivery.dead(reason);
      end();
    },
    release: () => {
      delivery.release();
      end();
    },
  };
}

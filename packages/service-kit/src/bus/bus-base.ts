import type { MessageType } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { z } from 'zod';
import { context, newTraceparent } from '../context/work-context.ts';
import type { BusHooks } from './bus-hooks.ts';
import { encodeMessage, type EncodedMessage } from './encode-message.ts';
import type { PublishOptions, Subscription } from './message-bus.ts';

export interface BusContext {
  readonly origin: string;
  readonly hooks: BusHooks;
  readonly clock: () => number;
}

/** Base class of the adapters: publishing with a span, subscriptions, and closing. */
export abstract class BusBase {
  readonly origin: string;
  protected readonly context: BusContext;
  readonly #subscriptions = new Set<Subscription>();
  #closing: Promise<void> | undefined;

  constructor({ origin, hooks, clock }: BusContext) {
    this.origin = origin;
    this.context = { origin, hooks, clock };
  }

  async publish<Data extends z.ZodType>(
    type: MessageType<Data>,
    data: z.input<Data>,
    options: PublishOptions = {},
  ): Promise<void> {
    const { origin, hooks, clock } = this.context;
    const span = hooks.publishing(type);
    const traceparent = span?.traceparent ?? context.getStore()?.traceparent ?? newTraceparent();
    try {
      await this.send(encodeMessage(type, data, options, { origin, clock, traceparent }));
    } catch (error) {
      span?.end(error);
      throw error;
    }
    span?.end();
    hooks.event('published', { type: type.key, count: 1 });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Resolves when the message is durable. */
  protected abstract send(message: EncodedMessage): Promise<void>;

  /** Called once, after all subscriptions have stopped. */
  protected abstract shutDown(): Promise<void>;

  protected assertOpen(): void {
    if (this.#closing !== undefined) throw new AppError('unavailable', 'The bus is closed');
  }

  /** `stop` is called once: by the subscription's owner, or when the bus closes. */
  protected track(stop: () => Promise<void>): Subscription {
    let stopping: Promise<void> | undefined;
    const subscription: Subscription = {
      stop: () => {
        stopping ??= stop().finally(() => this.#subscriptions.delete(subscription));
        return stopping;
      },
    };
    this.#subscriptions.add(subscription);
    return subscription;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
    await this.shutDown();
  }
}

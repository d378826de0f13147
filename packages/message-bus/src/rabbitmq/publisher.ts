import { AppError } from '@lobbystats/errors';
import type { ChannelModel, ConfirmChannel, Options } from 'amqplib';
import { keepConfirmChannel } from './keep-channel.ts';
import type { Kept } from './kept.ts';

export interface Outgoing {
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Buffer;
  readonly properties: Pick<Options.Publish, 'headers' | 'priority' | 'messageId'>;
  readonly unroutable?: boolean;
}

const MAX_IN_FLIGHT = 256;
const TURN_WITHIN_MS = 5000;
const CONFIRMED_WITHIN_MS = 10_000;

interface Waiting {
  readonly go: () => void;
  readonly fail: (error: AppError) => void;
  readonly timer: NodeJS.Timeout;
}

export class Publisher {
  readonly #channel: Kept<ConfirmChannel>;
  readonly #waiting = new Set<Waiting>();
  readonly #returned = new Set<string>();
  #blocked = false;
  #closed = false;
  #full = false;
  #inFlight = 0;
  #last = 0;

  constructor(connection: Kept<ChannelModel>) {
    this.#channel = keepConfirmChannel(
      connection,
      (channel) => this.#setUp(channel),
      () => this.#advance(),
    );
  }

  /**
   * Resolves when every target queue has the message. After `unavailable` it may be there or not.
   *
   * @throws AppError `unavailable` in bounded time when that isn't known: it may be there or not
   */
  async publish(outgoing: Outgoing): Promise<void> {
    await this.#turn();
    try {
      await this.#send(outgoing);
    } finally {
      this.#inFlight -= 1;
      this.#advance();
    }
  }

  /** The broker's memory or disk alarm. */
  block(blocked: boolean): void {
    this.#blocked = blocked;
    this.#advance();
  }

  get blocked(): boolean {
    return this.#blocked;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { fail, timer } of this.#waiting) {
      clearTimeout(timer);
      fail(unavailable('the bus is closed'));
    }
    this.#waiting.clear();
    await this.#channel.close();
  }

  async #setUp(channel: ConfirmChannel): Promise<void> {
    this.#full = false;
    this.#returned.clear();
    channel.on('drain', () => {
      this.#full = false;
      this.#advance();
    });
    channel.on('return', ({ properties }) => {
      this.#returned.add(String(properties.correlationId));
    });
  }

  async #send({ exchange, routingKey, body, properties, unroutable = false }: Outgoing): Promise<void> {
    const channel = this.#channel.current;
    if (channel === undefined) throw unavailable('the connection is lost');
    const correlationId = String((this.#last += 1));
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(unavailable('the broker does not confirm')), CONFIRMED_WITHIN_MS);
      const options = { ...properties, correlationId, persistent: true, mandatory: !unroutable };
      const confirmed = (error: unknown): void => {
        clearTimeout(timer);
        // `return` arrives before the confirm.
        const isReturned = this.#returned.delete(correlationId);
        if (error !== null && error !== undefined) reject(unavailable('the broker did not take it', error));
        else if (isReturned) reject(unavailable(`no queue takes ${routingKey}`));
        else resolve();
      };
      try {
        if (!channel.publish(exchange, routingKey, body, options, confirmed)) this.#full = true;
      } catch (error) {
        clearTimeout(timer);
        reject(unavailable('the channel is closed', error));
      }
    });
  }

  #turn(): Promise<void> {
    if (this.#isReady()) {
      this.#inFlight += 1;
      return Promise.resolve();
    }
    if (this.#closed) return Promise.reject(unavailable('the bus is closed'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(unavailable(this.#blocked ? 'the broker is short of memory or disk' : 'the broker is away or slow'));
      }, TURN_WITHIN_MS);
      const waiting: Waiting = { go: resolve, fail: reject, timer };
      this.#waiting.add(waiting);
    });
  }

  #advance(): void {
    for (const waiting of this.#waiting) {
      if (!this.#isReady()) return;
      this.#waiting.delete(waiting);
      this.#inFlight += 1;
      clearTimeout(waiting.timer);
      waiting.go();
    }
  }

  #isReady(): boolean {
    return (
      !this.#closed &&
      !this.#blocked &&
      !this.#full &&
      this.#inFlight < MAX_IN_FLIGHT &&
      this.#channel.current !== undefined
    );
  }
}

function unavailable(why: string, error?: unknown): AppError {
  return new AppError('unavailable', 'The message bus is not available', { cause: error ?? new Error(why) });
}

import { AppError } from '@lobbystats/contracts/errors';
import type { ConfirmChannel } from 'amqplib';
import PQueue from 'p-queue';
import type { BrokerConnection } from './connect.ts';
import type { MessageProperties } from './message-properties.ts';
import { Reconnecting } from './reconnecting.ts';

export interface OutgoingMessage {
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Buffer;
  readonly properties: MessageProperties;
  readonly allowUnroutable?: boolean;
}

const MAX_IN_FLIGHT = 256;
const TIMEOUT_MS = 10_000;

export class Publisher {
  readonly #channel: Reconnecting<ConfirmChannel>;
  /** Paused while amqplib's buffer is full, which bounds the bytes in flight. */
  readonly #sending = new PQueue({ concurrency: MAX_IN_FLIGHT });
  readonly #returned = new Set<string>();
  #last = 0;

  constructor(connection: BrokerConnection) {
    const setUp = async (channel: ConfirmChannel): Promise<void> => {
      this.#returned.clear();
      channel.on('return', ({ properties }) => this.#returned.add(String(properties.correlationId)));
      channel.on('drain', () => this.#sending.start());
      this.#sending.start();
    };
    this.#channel = new Reconnecting(() => connection.createConfirmChannel(), setUp);
  }

  /**
   * Resolves when every target queue has the message.
   *
   * @throws AppError `unavailable` within 10 s; the message may have been stored
   */
  async publish(outgoing: OutgoingMessage): Promise<void> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      await this.#sending.add(() => this.#send(outgoing, signal), { signal });
    } catch (cause) {
      throw new AppError('unavailable', 'The message bus is not available', { cause });
    }
  }

  async close(): Promise<void> {
    await this.#channel.close();
    this.#sending.start();
  }

  async #send(
    { exchange, routingKey, body, properties, allowUnroutable = false }: OutgoingMessage,
    signal: AbortSignal,
  ): Promise<void> {
    const channel = await this.#channel.opened;
    signal.throwIfAborted();
    const correlationId = String((this.#last += 1));
    const options = { ...properties, correlationId, persistent: true, mandatory: !allowUnroutable };
    await new Promise<void>((resolve, reject) => {
      const isBelowLimit = channel.publish(exchange, routingKey, body, options, (error: unknown) => {
        // `return` arrives before the confirm.
        const isReturned = this.#returned.delete(correlationId);
        if (error !== null && error !== undefined) reject(new Error('the broker did not take it', { cause: error }));
        else if (isReturned) reject(new Error(`no queue takes ${routingKey}`));
        else resolve();
      });
      if (!isBelowLimit) this.#sending.pause();
    });
  }
}
